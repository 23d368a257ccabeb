import type { Gateway } from '../offering/gateway.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'

/** The list of tools that one connection sees. */
export interface ConnectionList {
  tools(): readonly McpTool[]
  /** Tools were found in this connection: they join its list where lists may grow. */
  join(names: readonly string[]): void
}

/** @param onGrown the list has become longer */
export function createConnectionList(
  gateway: Gateway,
  era: Era,
  onGrown: () => void,
): ConnectionList {
  // in the newer era a list must not depend on what happened in the connection
  const mayGrow = () => era === 'legacy' && gateway.isDynamic
  /** In the order in which it was found. */
  const found = new Set<string>()

  return {
    tools: () => gateway.listTools(mayGrow() ? found : []),
    join(names) {
      if (!mayGrow()) return
      const before = gateway.listTools(found).length
      for (const name of names) found.add(name)
      if (gateway.listTools(found).length > before) onGrown()
    },
  }
}
