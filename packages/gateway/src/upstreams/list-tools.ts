import { checkTool } from './check-tool.ts'
import type { JsonObject, McpTool, RefusedTool } from './upstream.ts'

const MAX_PAGES = 1_000

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
  const cursors = new Set<string>()
  const list = (trouble?: string): ToolList => ({
    tools: [...tools.values()],
    refused,
    ...(trouble && { trouble }),
  })

  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    let answer: JsonObject
    try {
      answer = await page(cursor === undefined ? {} : { cursor })
    } catch (error) {
      if (pages === 0) throw error
      return list(`Page ${pages + 1} of its tools is missing: ${(error as Error).message}`)
    }
    if (!Array.isArray(answer.tools)) {
      return list(`Page ${pages + 1} of its tools has no list of tools.`)
    }
    for (const tool of answer.tools) {
      const reason = checkTool(tool) ?? (tools.has(tool.name) ? 'It is listed twice.' : undefined)
      if (reason) refused.push({ tool: String(tool?.name ?? '(no name)'), reason })
      else tools.set(tool.name, tool)
    }
    const next = answer.nextCursor
    if (typeof next !== 'string') return list()
    if (cursors.has(next)) {
      return list(`Its list of tools goes in circles: page ${pages + 1} leads back to "${next}".`)
    }
    cursors.add(next)
    cursor = next
  }
  return list(`Its list of tools did not end after ${MAX_PAGES} pages.`)
}
