import { isObject } from '../../is-object.ts'

/** An input item of the Responses API, as loosely as histories are. */
export type Item = { readonly [field: string]: unknown }

/** The limit for items given by callers: any of the client's own types. */
// biome-ignore lint/suspicious/noExplicitAny: an interface of the client fits no stricter index
export type OpenaiItem = { [field: string]: any }

/** A search that OpenAI made by itself, as a call or as its output. */
export function isHostedSearch(item: Item): boolean {
  if (item.type !== 'tool_search_call' && item.type !== 'tool_search_output') return false
  return item.execution === 'server' || typeof item.call_id !== 'string'
}

/** The functions that an item defines, also those in namespaces. */
export function definedNames({ tools }: Item): string[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isObject).flatMap((tool) => {
    if (tool.type === 'namespace') return definedNames(tool)
    return typeof tool.name === 'string' ? [tool.name] : []
  })
}

/** A text that neither the user nor the model has said. */
export function developerText(content: string): Item {
  return { role: 'developer', content }
}
