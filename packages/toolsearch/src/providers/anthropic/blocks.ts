import { type Block, blocksIn } from '../../transcript/block.ts'

/** The tool names that the service accepts. */
export const ACCEPTED_NAME: RegExp = /^[a-zA-Z0-9_-]{1,128}$/

/**
 * A message of the Messages API. To get the client's own message type back, pass it as the type
 * argument of `anthropic`. The default type is assignable to the client's.
 */
export interface AnthropicMessage {
  // biome-ignore lint/suspicious/noExplicitAny: client versions disagree on roles and blocks
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content?: any
}

/** The blocks of a message. */
export function blocksOf({ content }: { readonly content?: unknown }): readonly Block[] {
  return content === '' ? [] : blocksIn(content)
}

/** The blocks inside a tool result. */
export function resultBlocks({ content }: Block): readonly Block[] {
  return blocksIn(content)
}

/** The field that the result of a call to a member of Anthropic's toolsets must repeat. */
export function toolsetOf({ toolset_name }: Block): Block {
  return typeof toolset_name === 'string' ? { toolset_name } : {}
}

export function text(value: string): Block {
  return { type: 'text', text: value }
}

/** A summary that replaces all messages before it. */
export function isCompaction({ type, content }: Block): boolean {
  return type === 'compaction' && typeof content === 'string'
}

/** A summary that must be the only block of the first message. */
export function isSignedCompaction(block: Block): boolean {
  return isCompaction(block) && typeof block.signature === 'string'
}
