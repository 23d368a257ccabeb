import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { listPages } from '../protocol/list-pages.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { checkParamHeaders } from '../protocol/param-headers.ts'
import type { RefusedTool } from './upstream.ts'

export interface ToolList {
  readonly tools: readonly McpTool[]
  readonly refused: readonly RefusedTool[]
  /** Why the list may be incomplete, if it may be. */
  readonly warning?: string
}

const MAX_NAME_LENGTH = 256

/**
 * Reads every page of a server's tools and leaves out tools that cannot be served.
 *
 * Rejects only if the first page fails. If a later page fails, the list is incomplete.
 *
 * @param page requests `tools/list` with these params
 */
export async function listTools(
  page: (params: JsonObject) => Promise<JsonObject>,
): Promise<ToolList> {
  const tools = new Map<string, McpTool>()
  const refused: RefusedTool[] = []
  const warning = await listPages('tools', page, (entry, problem) => {
    const tool = entry as McpTool
    const reason =
      checkTool(tool, problem) ??
      (tools.has(tool.name) ? 'It is listed more than once.' : undefined)
    if (reason) refused.push({ tool: nameOf(tool), reason })
    else tools.set(tool.name, tool)
  })
  return { tools: [...tools.values()], refused, ...(warning && { warning }) }
}

/** Leaves out tools with invalid `x-mcp-header` annotations. */
export function withoutInvalidHeaders(list: ToolList): ToolList {
  const refused: RefusedTool[] = []
  const tools = list.tools.filter((tool) => {
    const reason = checkParamHeaders(tool)
    if (reason) refused.push({ tool: tool.name, reason })
    return reason === undefined
  })
  return refused.length === 0 ? list : { ...list, tools, refused: [...list.refused, ...refused] }
}

/** A name to report: the name itself may be the problem. */
function nameOf(tool: unknown): string {
  const { name } = (tool ?? {}) as Partial<McpTool>
  return typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME_LENGTH) : '(no name)'
}

/** Returns the reason if a tool cannot be served. The catalogue reports problems of its schema. */
function checkTool(tool: unknown, problem: string | undefined): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'It is not an object.'
  const { name, inputSchema } = tool as McpTool
  if (typeof name !== 'string' || name === '') return 'It has no name.'
  if (name.length > MAX_NAME_LENGTH) return `Its name is longer than ${MAX_NAME_LENGTH} characters.`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'Its name contains control characters.'
  if (problem) return `It is ${problem}.`
  if (inputSchema === undefined) return 'It has no inputSchema.'
  return isObject(inputSchema) ? undefined : 'Its inputSchema is not an object.'
}
