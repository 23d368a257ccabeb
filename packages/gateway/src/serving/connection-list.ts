import type { GatewayView } from '../offering/gateway-view.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'
import { addFound, type ConnectionMemory, createConnectionMemory } from './connection-memory.ts'

/**
 * The tool list of one connection. In mode `dynamic`, tools that a search finds are added to the
 * list of a legacy connection.
 *
 * The recorder (inspection/) keeps one for each connection as well, to know what its list costs.
 */
export interface ConnectionList {
  /** @param view of the sender of the request. It may differ from that of the next request */
  tools(view: Pick<GatewayView, 'isDynamic' | 'listTools'>): readonly McpTool[]
  /** The tools that were added to the list, in the order in which they were found. */
  added(): readonly McpTool[]
  /** Adds found tools if the list may grow. Returns the names that were not listed before. */
  add(found: readonly string[]): readonly string[]
}

/**
 * @param caller whose view can change while the connection is open
 * @param memory what the connection has found
 */
export function createConnectionList(
  caller: { readonly view: Pick<GatewayView, 'isDynamic' | 'listTools'> },
  era: Era,
  memory: ConnectionMemory = createConnectionMemory(),
): ConnectionList {
  // In the modern protocol, a list must not depend on earlier requests.
  const mayGrow = (view = caller.view) => era === 'legacy' && view.isDynamic
  const names = () => memory.values.found

  return {
    tools: (view) => view.listTools(mayGrow(view) ? names() : []),
    added: () =>
      mayGrow() ? caller.view.listTools(names()).slice(caller.view.listTools().length) : [],
    add(found) {
      if (!mayGrow()) return []
      const listed = new Set(caller.view.listTools(names()).map(({ name }) => name))
      void memory.change((before) => addFound(before, found))
      return found.filter((name) => !listed.has(name))
    },
  }
}
