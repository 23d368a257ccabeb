import { type ChatMessage, withText } from './chat-message.ts'

/**
 * News stand at the very end, where nothing before them changes, and in the user's role: endpoints
 * refuse a system message that is not first, and some refuse two user messages in a row.
 */
export function withNotice<Message extends ChatMessage>(
  messages: readonly Message[],
  notice: string | undefined,
): readonly Message[] {
  if (notice === undefined) return messages
  const last = messages.at(-1)
  if (last?.role === 'user') return messages.with(-1, withText(last, notice))
  return [...messages, { role: 'user', content: notice } as Message]
}
