import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'

/** The constraint for the caller's item type: any of the client's own types matches. */
// biome-ignore lint/suspicious/noExplicitAny: the client's interfaces match no stricter index type
export type OpenaiItem = { [field: string]: any }

/** The tool names that the service accepts. */
export const ACCEPTED_NAME: RegExp = /^[a-zA-Z0-9_-]{1,64}$/

/** A call or an output of a search that OpenAI runs itself. */
export function isHostedSearch(item: Block): boolean {
  const { type, execution, call_id } = item
  if (type !== 'tool_search_call' && type !== 'tool_search_output') return false
  return execution === 'server' || typeof call_id !== 'string'
}

/** The functions that an item defines, including those in namespaces. */
export function definedNames({ tools }: Block): string[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isObject).flatMap((tool) => {
    if (tool.type === 'namespace') return definedNames(tool)
    return typeof tool.name === 'string' ? [tool.name] : []
  })
}

/** A developer message, for text that neither the user nor the model wrote. */
export function developerText(content: string): Block {
  return { role: 'developer', content }
}
