import { isObject } from '../../is-object.ts'

/**
 * A message of Chat Completions. The client's own type fits it and it fits the client's: pass that
 * as the type argument of `openaiCompatible` to have it back.
 */
export interface ChatMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the client has a type for each role
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content?: any
}

/** A message with whatever fields its endpoint gave it. */
export type LooseMessage = ChatMessage & { readonly [field: string]: unknown }

/** The texts in a message's content, which is a text or a list of parts. */
export function textsOf({ content }: ChatMessage): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) =>
    isObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
}

/** The same message with a text at the end of its content. */
export function withText<Message extends ChatMessage>(message: Message, text: string): Message {
  const { content } = message
  if (Array.isArray(content)) {
    return { ...message, content: [...content, { type: 'text', text }] }
  }
  const before = typeof content === 'string' && content !== '' ? `${content}\n\n` : ''
  return { ...message, content: before + text }
}

/** Instructions at the beginning, by either of their roles. */
export function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer'
}
