import { checkParamHeaders } from '../protocol/param-headers.ts'
import type { ToolList } from './list-tools.ts'
import type { RefusedTool } from './upstream.ts'

/** The list without tools that ask for HTTP headers which cannot be sent. */
export function withoutBadHeaders(list: ToolList): ToolList {
  const refused: RefusedTool[] = []
  const tools = list.tools.filter((tool) => {
    const reason = checkParamHeaders(tool)
    if (reason) refused.push({ tool: tool.name, reason })
    return reason === undefined
  })
  return refused.length === 0 ? list : { ...list, tools, refused: [...list.refused, ...refused] }
}
