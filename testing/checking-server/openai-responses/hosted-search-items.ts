import { ImpossibleReplyError, newId } from '../reply.ts'
import type { OutputItem } from './encode-responses.ts'
import { type PlacedFunction, placedFunctions } from './placed-functions.ts'
import type { ResponsesBody, Tool } from './responses-body.ts'

/** The items of a hosted search: its call and the tools that it loaded. */
export function hostedSearchItems(found: readonly string[], body: ResponsesBody): OutputItem[] {
  const search = body.tools?.find((tool) => tool.type === 'tool_search')
  if (!search || search.execution === 'client') {
    throw new ImpossibleReplyError('The request does not declare a hosted tool_search.')
  }
  const declared = placedFunctions({ tools: body.tools ?? [] })
  const functions = found.map((name) => {
    const place = declared.find(({ tool }) => tool.name === name)
    if (!place)
      throw new ImpossibleReplyError(`The request does not declare the function '${name}'.`)
    return place
  })
  const shared = { status: 'completed', call_id: null, execution: 'server' }
  const paths = [...new Set(functions.map(({ namespace }) => namespace))]
  return [
    { type: 'tool_search_call', id: newId('tsc'), ...shared, arguments: { paths } },
    { type: 'tool_search_output', id: newId('tso'), ...shared, tools: groupByNamespace(functions) },
  ]
}

// Functions of the same namespace are returned in one namespace.
function groupByNamespace(functions: readonly PlacedFunction[]): Tool[] {
  const groups = new Map<Tool, Tool[]>()
  for (const { tool, group } of functions) {
    if (group) groups.set(group, [...(groups.get(group) ?? []), tool])
  }
  const ungrouped = functions.filter(({ group }) => !group).map(({ tool }) => tool)
  return [...ungrouped, ...[...groups].map(([group, tools]) => ({ ...group, tools }))]
}
