import type { SdkMessage, SdkToolResult } from './sdk-shapes.ts'

/** All tool results of a conversation. */
export function resultsIn(messages: readonly SdkMessage[]): readonly SdkToolResult[] {
  return messages.flatMap((message) => partsOf<SdkToolResult>(message, 'tool-result'))
}

/** The tools that the last assistant message calls. */
export function lastCalledTools(messages: readonly SdkMessage[]): readonly string[] {
  const last = messages.findLast(({ role }) => role === 'assistant')
  if (last === undefined) return []
  const calls = partsOf<{ type: 'tool-call'; toolName: string }>(last, 'tool-call')
  return calls.map(({ toolName }) => toolName)
}

/** Appends a block to instructions of any form. */
export function withBlock<SYSTEM extends SdkMessage>(
  instructions: string | SYSTEM | SYSTEM[] | undefined,
  block: string,
): string | SYSTEM[] {
  if (instructions === undefined) return block
  if (typeof instructions === 'string') return `${instructions}\n\n${block}`
  const messages = Array.isArray(instructions) ? instructions : [instructions]
  return [...messages, { role: 'system', content: block } as SdkMessage as SYSTEM]
}

/** Appends the notice, if there is one, as a user message. */
export function withNotice<MESSAGE extends SdkMessage>(
  messages: readonly MESSAGE[],
  notice: string | undefined,
): MESSAGE[] {
  if (notice === undefined) return [...messages]
  return [...messages, { role: 'user', content: notice } as SdkMessage as MESSAGE]
}

/** The parts of a message with a certain type. A message with string content has none. */
function partsOf<PART extends { type: string }>(
  message: SdkMessage,
  type: PART['type'],
): readonly PART[] {
  if (!Array.isArray(message.content)) return []
  return message.content.filter((part: { type?: unknown }) => part.type === type)
}
