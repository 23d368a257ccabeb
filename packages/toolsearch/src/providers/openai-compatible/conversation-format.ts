import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  ReadContext,
  ReportLost,
  ResultPart,
} from '../../conversations/conversation.ts'
import { isMedia, partsOf, readContent, resultText, writeMedia } from '../../conversations/media.ts'
import { isObject } from '../../is-object.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import { ACCEPTED_NAME, isInstruction, type LooseMessage } from './chat-message.ts'
import { referencedNames } from './references.ts'
import { type ChatMedia, mediaBlock } from './results.ts'
import { withoutBlock } from './with-instructions.ts'

/** Messages of Chat Completions. */
export const chatFormat: ConversationFormat = {
  acceptsName: ACCEPTED_NAME,

  read: (messages, context) =>
    messages.map((message, at) => readMessage(message as LooseMessage, at, context)),

  write: (messages, reportLost) =>
    joinUsers(messages.flatMap((message) => writeMessage(message, reportLost))),
}

function readMessage(message: LooseMessage, at: number, { reportLost }: ReadContext): Draft {
  const { role, content, tool_call_id: callId } = message
  if (isInstruction(message)) {
    return { role: 'system', parts: readParts(withoutBlock(message).content, at, reportLost), at }
  }
  if (role === 'tool') {
    const found = referencedNames(message)
    const result: DraftPart =
      found.length > 0
        ? { type: 'result', callId, parts: [], isError: false, found }
        : { type: 'result', callId, parts: readParts(content, at, reportLost), isError: false }
    return { role: 'tool', parts: [result], at }
  }
  if (role !== 'assistant') return { role: 'user', parts: readParts(content, at, reportLost), at }
  return { role: 'assistant', parts: readReply(message, at, reportLost), at }
}

/** Fields in which endpoints return the reasoning of a model. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details']

function readReply(message: LooseMessage, at: number, reportLost: ReportLost): DraftPart[] {
  const { content, refusal, audio, tool_calls: calls } = message
  if (REASONING.some((field) => message[field] !== undefined && message[field] !== null)) {
    reportLost('thinking', at, 'Only the endpoint that wrote it can read reasoning.')
  }
  if (isObject(audio)) reportLost('audio', at, 'Spoken replies are stored at the endpoint.')
  const texts = readParts(content, at, reportLost).map((part) =>
    part.type === 'text' ? part.text : '',
  )
  const text = texts.join('') + (typeof refusal === 'string' ? refusal : '')
  return [
    { type: 'text', text },
    ...(Array.isArray(calls) ? calls.filter(isObject).flatMap(readCall) : []),
  ]
}

function readCall({ id, function: called, custom }: Record<string, unknown>): DraftPart[] {
  if (isObject(custom)) {
    return [{ type: 'call', id, name: String(custom.name), arguments: { input: custom.input } }]
  }
  if (!isObject(called) || typeof called.name !== 'string' || called.name === '') return []
  return [{ type: 'call', id, name: called.name, arguments: parseArguments(called.arguments) }]
}

function readParts(content: unknown, at: number, reportLost: ReportLost): ContentPart[] {
  return partsOf(content).flatMap((part): ContentPart[] => {
    const read = readContent(part)
    if (read !== undefined) return [read]
    if (part.type === 'file') {
      reportLost('file', at, 'The file is stored at the endpoint; other providers cannot read it.')
    } else
      reportLost('native', at, `Other providers have no parts of the type ${String(part.type)}.`)
    return []
  })
}

function writeMessage(message: ConversationMessage, reportLost: ReportLost): LooseMessage[] {
  const { role, parts, at } = message
  if (role === 'assistant') return writeReply(message, reportLost)
  if (role === 'tool') return writeResults(parts as readonly ResultPart[], at, reportLost)
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
  results: readonly ResultPart[],
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
