import { isObject } from '../../is-object.ts'

/** A content block of the Messages API, as loosely as histories are. */
export type Block = { readonly type?: unknown; readonly [key: string]: unknown }

/**
 * A message of the Messages API. The client's own type fits it: pass that as the type argument of
 * `anthropic` to have it back. Without, messages have content and fit the client's.
 */
export interface AnthropicMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the client's versions disagree on the roles and blocks
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content?: any
}

/** The blocks of a message; a text counts as one block. */
export function blocksOf({ content }: AnthropicMessage): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** The blocks in a tool result. */
export function resultBlocks(result: Block): readonly Block[] {
  const { content } = result
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** The names a result of Anthropic's own search refers to. */
export function foundNames(block: Block): string[] {
  const { tool_references } = (block.content ?? {}) as Block
  if (!Array.isArray(tool_references)) return []
  return tool_references.flatMap((one: unknown) => referredName(one) ?? [])
}

export function referredName(block: unknown): string | undefined {
  if (!isObject(block) || block.type !== 'tool_reference') return undefined
  const name = block.tool_name ?? block.name
  return typeof name === 'string' ? name : undefined
}

/** Anthropic's own search, as a call or as its result. */
export function isOwnSearch(block: Block): boolean {
  if (block.type === 'tool_search_tool_result') return true
  return (
    block.type === 'server_tool_use' &&
    typeof block.name === 'string' &&
    block.name.startsWith('tool_search_tool')
  )
}

export function text(value: string): Block {
  return { type: 'text', text: value }
}
