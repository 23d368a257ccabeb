import type { Gateway } from '../offering/gateway.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'

/** Gives the schema of a tool by the name under which it is listed; nothing if it is not. */
export function listedSchema({
  listTools,
}: Pick<Gateway, 'listTools'>): (name: unknown) => unknown {
  let list: readonly McpTool[] | undefined
  let schemas = new Map<unknown, unknown>()
  return (name) => {
    const now = listTools()
    if (now !== list) {
      list = now
      schemas = new Map(now.map((tool) => [tool.name, tool.inputSchema]))
    }
    return schemas.get(name)
  }
}
