import { itemsOf } from './items-of.ts'
import type { ResponsesBody, WireTool } from './responses-body.ts'

/** A function and the namespaces under which a call of it may be sent back. */
export interface PlacedFunction {
  tool: WireTool
  /** `undefined` stands for the default namespace. The first one is what the model says. */
  namespaces: readonly (string | undefined)[]
  /** The namespace that declares it. */
  group?: WireTool
}

/** Every function of a request and where calls to it belong. */
export function placedFunctions(body: ResponsesBody): PlacedFunction[] {
  return [
    ...placed(body.tools ?? []),
    ...itemsOf(body).flatMap(({ type, execution, tools = [] }) =>
      placed(tools, type === 'tool_search_output' && execution === 'client'),
    ),
  ]
}

function placed(tools: readonly WireTool[], ofClient = false): PlacedFunction[] {
  return tools.flatMap((tool): PlacedFunction[] => {
    if (tool.type === 'namespace') {
      const namespaces = [tool.name]
      return (tool.tools ?? []).map((inner) => ({ tool: inner, namespaces, group: tool }))
    }
    if (tool.type !== 'function') return []
    // a deferred function is found in a namespace of its own name; what a client's search
    // returns has been seen either way
    if (!tool.defer_loading) return [{ tool, namespaces: [undefined] }]
    return [{ tool, namespaces: ofClient ? [tool.name, undefined] : [tool.name] }]
  })
}
