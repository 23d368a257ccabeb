import type { JsonObject } from '../protocol/json-object.ts'
import { listPages } from '../protocol/list-pages.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { checkTool } from './check-tool.ts'
import type { RefusedTool } from './upstream.ts'

export interface ToolList {
  readonly tools: readonly McpTool[]
  readonly refused: readonly RefusedTool[]
  /** Why the list may not be whole. */
  readonly trouble?: string
}

/**
 * Reads a list to its last page, and keeps what it got if it cannot.
 *
 * Rejects only if the first page fails: then nothing is known.
 *
 * @param page asks for `tools/list` with these params
 */
export async function listTools(
  page: (params: JsonObject) => Promise<JsonObject>,
): Promise<ToolList> {
  const tools = new Map<string, McpTool>()
  const refused: RefusedTool[] = []
  const trouble = await listPages('tools', page, (entry) => {
    const tool = entry as McpTool
    const reason = checkTool(tool) ?? (tools.has(tool.name) ? 'It is listed twice.' : undefined)
    if (reason) refused.push({ tool: String(tool?.name ?? '(no name)'), reason })
    else tools.set(tool.name, tool)
  })
  return { tools: [...tools.values()], refused, ...(trouble && { trouble }) }
}
