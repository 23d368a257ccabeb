import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'

/**
 * A message of Chat Completions. To get the client's own type back, pass it as the type argument of
 * `openaiCompatible`.
 */
export interface ChatMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the client has a type for each role
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content?: any
}

/** The tool names that every endpoint accepts. */
export const ACCEPTED_NAME: RegExp = /^[a-zA-Z0-9_-]{1,64}$/

/** A message with any additional fields that its endpoint sets. */
export type LooseMessage = ChatMessage & { readonly [field: string]: unknown }

/** Types of content parts in Anthropic's API and in the Responses API. */
const FOREIGN_PART =
  /^(?:tool_|server_tool_|thinking$|redacted_thinking$|image$|document$|input_(?!audio)|output_)/

/** Whether a message has the shape of Chat Completions. Plain text fits other APIs too. */
export function recognises(message: object): boolean | undefined {
  const { role, content, type, parts, tool_calls } = message as Block
  if (role === 'tool' || Array.isArray(tool_calls)) return true
  if (Array.isArray(parts)) return false
  if (role === undefined) return typeof type === 'string' ? false : undefined
  if (!Array.isArray(content)) return undefined
  const types = content.filter(isObject).map((part) => String(part.type))
  if (types.some((each) => FOREIGN_PART.test(each))) return false
  return types.some((each) => each !== 'text') ? true : undefined
}

/** The texts in a message's content, which is a string or a list of parts. */
export function textsOf({ content }: { readonly content?: unknown }): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) =>
    isObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
}

/** The message with a text appended to its content. */
export function withText<Message extends ChatMessage>(message: Message, text: string): Message {
  const { content } = message
  if (Array.isArray(content)) {
    return { ...message, content: [...content, { type: 'text', text }] }
  }
  const before = typeof content === 'string' && content !== '' ? `${content}\n\n` : ''
  return { ...message, content: before + text }
}

/** Whether a message contains instructions, under either of the two role names. */
export function isInstruction({ role }: { readonly role?: unknown }): boolean {
  return role === 'system' || role === 'developer'
}
