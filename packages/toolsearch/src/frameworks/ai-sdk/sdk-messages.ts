import { hashText } from '../../catalogue/hash-text.ts'
import type { PlacedNotice } from '../../stores/session-record.ts'
import { uniquePlaces } from '../unique-places.ts'
import type { SdkMessage, SdkResultPart } from './sdk-shapes.ts'

/** All tool results of a conversation. */
export function resultsIn(messages: readonly SdkMessage[]): readonly SdkResultPart[] {
  return messages.flatMap((message) =>
    partsOf<SdkResultPart>(message).filter(({ type }) => type === 'tool-result'),
  )
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

/**
 * A unique string for each message. It does not change when messages are stored, converted to UI
 * messages and back, or become a prompt: all of that keeps texts and the ids of calls.
 */
export function placesOf(messages: readonly SdkMessage[]): string[] {
  return uniquePlaces(messages.map((message) => `${message.role}:${hashText(identityOf(message))}`))
}

function identityOf(message: SdkMessage): string {
  if (typeof message.content === 'string') return message.content
  const parts = partsOf<{ text?: string; toolCallId?: string }>(message)
  // the SDK joins consecutive messages with results
  const relevant = message.role === 'tool' ? parts.slice(-1) : parts
  return relevant.map(({ text, toolCallId }) => text ?? toolCallId ?? '').join('\n')
}

/** Inserts notices as user messages. Those whose message is missing come last. */
export function withNotices(
  messages: readonly SdkMessage[],
  notices: readonly PlacedNotice[],
): readonly SdkMessage[] {
  if (notices.length === 0) return messages
  const places = placesOf(messages)
  const at = ({ after }: PlacedNotice) => {
    const index = places.indexOf(after)
    return index < 0 ? messages.length - 1 : index
  }
  const insertions = notices.map((notice) => ({ at: at(notice), text: notice.text }))
  return messages.flatMap((message, index) => [
    message,
    ...insertions
      .filter((insertion) => insertion.at === index)
      .map(({ text }) => ({ role: 'user', content: [{ type: 'text', text }] })),
  ])
}

/** The parts of a message. A message with string content has none. */
export function partsOf<PART>({ content }: SdkMessage): readonly PART[] {
  return Array.isArray(content) ? content : []
}
