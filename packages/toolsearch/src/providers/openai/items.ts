import { isObject } from '../../is-object.ts'

/** An input item of the Responses API. Loosely typed, because histories can contain anything. */
export type Item = { readonly [field: string]: unknown }

/** The constraint for the caller's item type: any of the client's own types matches. */
// biome-ignore lint/suspicious/noExplicitAny: the client's interfaces match no stricter index type
export type OpenaiItem = { [field: string]: any }

/** The tool names that the service accepts. */
export const ACCEPTED_NAME: RegExp = /^[a-zA-Z0-9_-]{1,64}$/

/** A call or an output of a search, whether OpenAI or the client runs it. */
export function isSearch({ type }: Item): boolean {
  return type === 'tool_search_call' || type === 'tool_search_output'
}

/** A call or an output of a search that OpenAI runs itself. */
export function isHostedSearch(item: Item): boolean {
  if (!isSearch(item)) return false
  return item.execution === 'server' || typeof item.call_id !== 'string'
}

/** Types of content parts in Anthropic's API and in Chat Completions. */
const FOREIGN_PART = /^(?:tool_|server_tool_|thinking$|redacted_thinking$|image|document$|file$)/

/** Whether an item has the shape of the Responses API. Plain text fits other APIs too. */
export function recognises(item: Item): boolean | undefined {
  const { type, role, content, parts, tool_calls } = item
  if (Array.isArray(parts) || Array.isArray(tool_calls) || role === 'tool') return false
  if (typeof type === 'string' && type !== 'message') return true
  if (!Array.isArray(content)) return undefined
  const types = content.filter(isObject).map((part) => String(part.type))
  if (types.some((each) => FOREIGN_PART.test(each))) return false
  return types.some((each) => each !== 'text') ? true : undefined
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
