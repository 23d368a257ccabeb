import { isObject } from '../../is-object.ts'

/** An input item of the Responses API. Loosely typed, because histories can contain anything. */
export type Item = { readonly [field: string]: unknown }

/** The constraint for the caller's item type: any of the client's own types matches. */
// biome-ignore lint/suspicious/noExplicitAny: the client's interfaces match no stricter index type
export type OpenaiItem = { [field: string]: any }

/** A call or an output of a search, whether OpenAI or the client runs it. */
export function isSearch({ type }: Item): boolean {
  return type === 'tool_search_call' || type === 'tool_search_output'
}

/** A call or an output of a search that OpenAI runs itself. */
export function isHostedSearch(item: Item): boolean {
  if (!isSearch(item)) return false
  return item.execution === 'server' || typeof item.call_id !== 'string'
}

/** The functions that an item defines, including those in namespaces. */
export function definedNames({ tools }: Item): string[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isObject).flatMap((tool) => {
    if (tool.type === 'namespace') return definedNames(tool)
    return typeof tool.name === 'string' ? [tool.name] : []
  })
}

/** The index of the last compaction, which replaces all items before it; -1 if there is none. */
export function lastCompaction(items: readonly Item[]): number {
  return items.findLastIndex(({ type }) => type === 'compaction')
}

/** A developer message, for text that neither the user nor the model wrote. */
export function developerText(content: string): Item {
  return { role: 'developer', content }
}
