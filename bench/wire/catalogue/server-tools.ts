import type { JsonSchema, ToolAnnotations, ToolDefinition } from 'toolsearch'

/** A tool as its server names it. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations?: ToolAnnotations
}

/** The tools of one MCP server, under the names a client gives them. */
export function serverTools(
  server: string,
  tools: readonly ServerTool[],
): readonly ToolDefinition[] {
  return tools.map((tool) => ({
    ...tool,
    name: `mcp__${server}__${tool.name}`,
    source: `mcp:${server}` as const,
  }))
}
