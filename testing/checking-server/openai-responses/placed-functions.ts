import { itemsOf, type ResponsesBody, type Tool } from './responses-body.ts'

/** A function and where calls to it belong. */
export interface PlacedFunction {
  tool: Tool
  /** `undefined` stands for the default namespace. */
  namespace: string | undefined
  /** The namespace that declares it, if one does. */
  group?: Tool
}

/** Every function of a request and the namespace in which the model calls it. */
export function placedFunctions(body: ResponsesBody): PlacedFunction[] {
  return [
    ...placed(body.tools ?? [], (tool) => tool.defer_loading === true),
    // what a search has found had to be searched for; `additional_tools` defers nothing
    ...itemsOf(body).flatMap(({ type, tools = [] }) =>
      placed(tools, () => type === 'tool_search_output'),
    ),
  ]
}

function placed(tools: readonly Tool[], isSearchedFor: (tool: Tool) => boolean): PlacedFunction[] {
  return tools.flatMap((tool): PlacedFunction[] => {
    if (tool.type === 'namespace') {
      return (tool.tools ?? []).map((inner) => ({ tool: inner, namespace: tool.name, group: tool }))
    }
    if (tool.type !== 'function') return []
    // a function that is searched for lives in a namespace of its own name
    return [{ tool, namespace: isSearchedFor(tool) ? tool.name : undefined }]
  })
}
