import { type Item, type ResponsesBody, readItems, type Tool } from './responses-body.ts'

/**
 * The prompt as the model reads it: tools, instructions, input. Of deferred functions and namespaces the
 * model sees only name and description. Definitions in items appear where the item is.
 */
export function responsesPrompt(body: ResponsesBody): string[] {
  const { tools = [], instructions, input } = body
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input } as Item] : readItems(body)
  return [
    ...tools.flatMap(toolPrompt),
    ...(instructions ? [`instructions: ${instructions}`] : []),
    ...items.map(itemPrompt),
  ]
}

function toolPrompt(tool: Tool): string[] {
  const { type, name, description } = tool
  if (type === 'namespace') {
    const visible = (tool.tools ?? []).filter((inner) => !inner.defer_loading)
    return [render({ type, name, description }), ...visible.map(render)]
  }
  if (!tool.defer_loading) return [render(tool)]
  const { server_label } = tool as { server_label?: string }
  return [render({ type, name, server_label, description })]
}

// Ids and states are only for the client.
function itemPrompt(item: Item): string {
  return render({ ...item, id: undefined, status: undefined, created_by: undefined })
}

function render(part: object): string {
  return JSON.stringify(part, (key, value) => (key === 'defer_loading' ? undefined : value))
}
