import type { SdkMessage, SdkToolResult } from './sdk-shapes.ts'

/** What tools gave back in a conversation. */
export function resultsIn(messages: readonly SdkMessage[]): readonly SdkToolResult[] {
  return messages.flatMap((message) => partsOf<SdkToolResult>(message, 'tool-result'))
}

/** The tools that the model called when it last spoke. */
export function calledLast(messages: readonly SdkMessage[]): readonly string[] {
  const last = messages.findLast(({ role }) => role === 'assistant')
  if (last === undefined) return []
  const calls = partsOf<{ type: 'tool-call'; toolName: string }>(last, 'tool-call')
  return calls.map(({ toolName }) => toolName)
}

/** Instructions of whatever form, with one more block at the end. */
export function withBlock<SYSTEM extends SdkMessage>(
  instructions: string | SYSTEM | SYSTEM[] | undefined,
  block: string,
): string | SYSTEM[] {
  if (instructions === undefined) return block
  if (typeof instructions === 'string') return `${instructions}\n\n${block}`
  const own = Array.isArray(instructions) ? instructions : [instructions]
  return [...own, { role: 'system', content: block } as SdkMessage as SYSTEM]
}

/** Messages with a word of ours at the end, if there is one. */
export function withNotice<MESSAGE extends SdkMessage>(
  messages: readonly MESSAGE[],
  notice: string | undefined,
): MESSAGE[] {
  if (notice === undefined) return [...messages]
  return [...messages, { role: 'user', content: notice } as SdkMessage as MESSAGE]
}

/** The parts of a message of one kind; a message that is only text has none. */
function partsOf<PART extends { type: string }>(
  message: SdkMessage,
  type: PART['type'],
): readonly PART[] {
  if (!Array.isArray(message.content)) return []
  return message.content.filter((part: { type?: unknown }) => part.type === type)
}
