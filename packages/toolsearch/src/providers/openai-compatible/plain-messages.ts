import type { ChatMessage } from './chat-message.ts'

const KNOWN = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'audio',
  'tool_calls',
  'tool_call_id',
  'function_call',
])

/** Messages without the fields that are no part of Chat Completions, such as a model's reasoning. */
export function plainMessages<Message extends ChatMessage>(
  messages: readonly Message[],
): readonly Message[] {
  return messages.map((message) => {
    const fields = Object.entries(message)
    const known = fields.filter(([field]) => KNOWN.has(field))
    return known.length === fields.length
      ? message
      : (Object.fromEntries(known) as unknown as Message)
  })
}
