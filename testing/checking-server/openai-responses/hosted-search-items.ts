import { ImpossibleReplyError, newId } from '../reply.ts'
import type { OutputItem } from './encode-responses.ts'
import { type PlacedFunction, placedFunctions } from './placed-functions.ts'
import type { ResponsesBody, Tool } from './responses-body.ts'

/** What the service says when it has searched by itself: its call, and the tools it loaded. */
export function hostedSearchItems(found: readonly string[], body: ResponsesBody): OutputItem[] {
  const search = body.tools?.find((tool) => tool.type === 'tool_search')
  if (!search || search.execution === 'client') {
    throw new ImpossibleReplyError('The request declares no tool_search that OpenAI executes.')
  }
  const declared = placedFunctions({ tools: body.tools ?? [] })
  const functions = found.map((name) => {
    const place = declared.find(({ tool }) => tool.name === name)
    if (!place) throw new ImpossibleReplyError(`The request declares no function '${name}'.`)
    return place
  })
  const shared = { status: 'completed', call_id: null, execution: 'server' }
  const paths = [...new Set(functions.map(({ namespace }) => namespace))]
  return [
    { type: 'tool_search_call', id: newId('tsc'), ...shared, arguments: { paths } },
    { type: 'tool_search_output', id: newId('tso'), ...shared, tools: grouped(functions) },
  ]
}

// functions of one namespace come back in one namespace
function grouped(functions: readonly PlacedFunction[]): Tool[] {
  const groups = new Map<Tool, Tool[]>()
  for (const { tool, group } of functions) {
    if (group) groups.set(group, [...(groups.get(group) ?? []), tool])
  }
  const alone = functions.filter(({ group }) => !group).map(({ tool }) => tool)
  return [...alone, ...[...groups].map(([group, tools]) => ({ ...group, tools }))]
}
