import { isObject } from '../../is-object.ts'

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
