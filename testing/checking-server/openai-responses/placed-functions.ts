import { type ResponsesBody, readItems, type Tool } from './responses-body.ts'

/** A function, and the namespace in which the model calls it. */
export interface PlacedFunction {
  tool: Tool
  /** `undefined` is the default namespace. */
  namespace: string | undefined
  /** The namespace that declares the function, if there is one. */
  group?: Tool
}

/** Every function of a request with the namespace in which the model calls it. */
export function placedFunctions(body: ResponsesBody): PlacedFunction[] {
  return [
    ...placeFunctions(body.tools ?? [], (tool) => tool.defer_loading === true),
    // Functions in a search output count as deferred, those in `additional_tools` do not.
    ...readItems(body).flatMap(({ type, tools = [] }) =>
      placeFunctions(tools, () => type === 'tool_search_output'),
    ),
  ]
}

function placeFunctions(
  tools: readonly Tool[],
  isDeferred: (tool: Tool) => boolean,
): PlacedFunction[] {
  return tools.flatMap((tool): PlacedFunction[] => {
    if (tool.type === 'namespace') {
      return (tool.tools ?? []).map((inner) => ({ tool: inner, namespace: tool.name, group: tool }))
    }
    if (tool.type !== 'function') return []
    // A deferred function is in a namespace with its own name.
    return [{ tool, namespace: isDeferred(tool) ? tool.name : undefined }]
  })
}
