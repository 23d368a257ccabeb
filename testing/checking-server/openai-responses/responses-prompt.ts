import type { Item, ResponsesBody, Tool } from './responses-body.ts'

/**
 * The prompt as the model reads it: tools, instructions, input. Of a deferred function it sees
 * name and description, of a namespace too; definitions stand where an item brings them.
 */
export function responsesPrompt({ tools = [], instructions, input = [] }: ResponsesBody): string[] {
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input } as Item] : input
  return [
    ...tools.flatMap(toolPrompt),
    ...(instructions ? [`instructions: ${instructions}`] : []),
    ...items.map(itemPrompt),
  ]
}

function toolPrompt(tool: Tool): string[] {
  const { type, name, description } = tool
  if (type === 'namespace') {
    const ready = (tool.tools ?? []).filter((inner) => !inner.defer_loading)
    return [rendered({ type, name, description }), ...ready.map(rendered)]
  }
  if (!tool.defer_loading) return [rendered(tool)]
  const { server_label } = tool as { server_label?: string }
  return [rendered({ type, name, server_label, description })]
}

// ids and states are for the client
function itemPrompt(item: Item): string {
  return rendered({ ...item, id: undefined, status: undefined, created_by: undefined })
}

function rendered(part: object): string {
  return JSON.stringify(part, (key, value) => (key === 'defer_loading' ? undefined : value))
}
