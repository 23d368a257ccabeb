import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import type { Block } from '../../transcript/block.ts'
import type {
  ConversationMessage,
  ConversationResult,
  ReportLost,
} from '../../transcript/conversation.ts'
import { isMedia, resultText, writeMedia } from '../../transcript/media.ts'
import type { LooseMessage } from './chat-message.ts'
import { type ChatMedia, mediaBlock } from './results.ts'

/** Writes a conversation as messages of Chat Completions. */
export function write(messages: readonly ConversationMessage[], reportLost: ReportLost): Block[] {
  return joinUsers(messages.flatMap((message) => writeMessage(message, reportLost)))
}

function writeMessage(message: ConversationMessage, reportLost: ReportLost): LooseMessage[] {
  const { role, parts, at } = message
  if (role === 'assistant') return writeReply(message, reportLost)
  if (role === 'tool') return writeResults(parts as readonly ConversationResult[], at, reportLost)
  if (role === 'system') reportLost('system-role', at, 'An instruction became a user message.')
  return writeUser(parts as readonly OutputPart[], at, reportLost)
}

function writeUser(
  parts: readonly OutputPart[],
  at: number,
  reportLost: ReportLost,
): LooseMessage[] {
  const content = parts.flatMap((part) =>
    isMedia(part) ? writeFile(part, at, reportLost) : [{ type: 'text', text: partText(part) }],
  )
  return content.length > 0 ? [{ role: 'user', content }] : []
}

function writeReply({ parts, at }: ConversationMessage, reportLost: ReportLost): LooseMessage[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const calls = parts.flatMap((part) => {
    if (part.type !== 'call') return []
    const called = { name: part.name, arguments: JSON.stringify(part.arguments) }
    return [{ id: part.id, type: 'function', function: called }]
  })
  for (const part of parts) {
    if (isMedia(part)) reportLost(part.type, at, 'Messages of the assistant can only contain text.')
  }
  if (texts.length + calls.length === 0) return []
  const content = texts.length > 0 ? texts.join('\n\n') : null
  return [{ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }]
}

/** A result can only contain text, so its files follow in a user message. */
function writeResults(
  results: readonly ConversationResult[],
  at: number,
  reportLost: ReportLost,
): LooseMessage[] {
  const files = results.flatMap(({ name, parts }) => {
    const media = parts.filter(isMedia).flatMap((part) => writeFile(part, at, reportLost))
    return media.length > 0 ? [{ type: 'text', text: `Result of ${name}:` }, ...media] : []
  })
  const answers = results.map(({ callId, parts, isError }) => {
    if (isError) reportLost('error-flag', at, 'A tool message has no error flag; its text stays.')
    const text = resultText(parts)
    const content = text === '' && files.length > 0 ? 'See the files below.' : text
    return { role: 'tool', tool_call_id: callId, content }
  })
  return files.length > 0 ? [...answers, { role: 'user', content: files }] : answers
}

const ALL_MEDIA: readonly ChatMedia[] = ['image', 'audio', 'file']

function writeFile(part: MediaPart, at: number, reportLost: ReportLost): object[] {
  return writeMedia(part, { write: (media) => mediaBlock(media, ALL_MEDIA), at, reportLost })
}

/** Some endpoints reject two user messages in a row. A single text is sent as a string. */
function joinUsers(messages: readonly LooseMessage[]): LooseMessage[] {
  const joined: LooseMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    const follows = last?.role === 'user' && message.role === 'user'
    if (follows) {
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] }
    } else joined.push(message)
  }
  return joined.map((message) => {
    const [first, ...rest] = message.role === 'user' ? message.content : []
    return rest.length === 0 && first?.type === 'text'
      ? { ...message, content: first.text }
      : message
  })
}
