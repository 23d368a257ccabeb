import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  Lose,
  ReadContext,
  ResultPart,
} from '../../conversations/conversation.ts'
import {
  isMedia,
  mediaFromData,
  mediaFromUrl,
  partsOf,
  resultText,
  urlOf,
} from '../../conversations/media.ts'
import { isObject } from '../../is-object.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import { ACCEPTED_NAME, isInstruction, type LooseMessage } from './chat-message.ts'
import { referencedNames } from './references.ts'
import { withoutBlock } from './with-instructions.ts'

/** Messages of Chat Completions. */
export const chatFormat: ConversationFormat = {
  acceptsName: ACCEPTED_NAME,

  read: (messages, context) =>
    messages.map((message, at) => readMessage(message as LooseMessage, at, context)),

  write: (messages, lose) => joinUsers(messages.flatMap((message) => writeMessage(message, lose))),
}

function readMessage(message: LooseMessage, at: number, { lose }: ReadContext): Draft {
  const { role, content, tool_call_id: callId } = message
  if (isInstruction(message)) {
    return { role: 'system', parts: readParts(withoutBlock(message).content, at, lose), at }
  }
  if (role === 'tool') {
    const found = referencedNames(message)
    const result: DraftPart =
      found.length > 0
        ? { type: 'result', callId, parts: [], isError: false, found }
        : { type: 'result', callId, parts: readParts(content, at, lose), isError: false }
    return { role: 'tool', parts: [result], at }
  }
  if (role !== 'assistant') return { role: 'user', parts: readParts(content, at, lose), at }
  return { role: 'assistant', parts: readReply(message, at, lose), at }
}

/** Fields in which endpoints return the reasoning of a model. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details']

function readReply(message: LooseMessage, at: number, lose: Lose): DraftPart[] {
  const { content, refusal, audio, tool_calls: calls } = message
  if (REASONING.some((field) => message[field] !== undefined && message[field] !== null)) {
    lose('thinking', at, 'Only the endpoint that wrote it can read reasoning.')
  }
  if (isObject(audio)) lose('audio', at, 'Spoken replies are stored at the endpoint.')
  const texts = readParts(content, at, lose).map((part) => (part.type === 'text' ? part.text : ''))
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

function readParts(content: unknown, at: number, lose: Lose): ContentPart[] {
  return partsOf(content).flatMap((part): ContentPart[] => {
    if (typeof part.text === 'string') return [{ type: 'text', text: part.text }]
    if (typeof part.refusal === 'string') return [{ type: 'text', text: part.refusal }]
    const media = readMedia(part)
    if (media !== undefined) return [media]
    const isFile = part.type === 'file'
    lose(isFile ? 'file' : 'native', at, `A part of the type ${String(part.type)} cannot travel.`)
    return []
  })
}

function readMedia(part: Readonly<Record<string, unknown>>): MediaPart | undefined {
  const { image_url: image, input_audio: audio, file } = part
  if (isObject(image) && typeof image.url === 'string') return mediaFromUrl(image.url, 'image/png')
  if (isObject(audio) && typeof audio.data === 'string') {
    return mediaFromData(audio.data, `audio/${String(audio.format ?? 'wav')}`)
  }
  if (!isObject(file) || typeof file.file_data !== 'string') return undefined
  return mediaFromUrl(file.file_data, 'application/pdf', file.filename)
}

function writeMessage(message: ConversationMessage, lose: Lose): LooseMessage[] {
  const { role, parts, at } = message
  if (role === 'assistant') return writeReply(message, lose)
  if (role === 'tool') return writeResults(parts as readonly ResultPart[], at, lose)
  if (role === 'system') lose('system-role', at, 'An instruction became a user message.')
  return writeUser(parts as readonly OutputPart[], at, lose)
}

function writeUser(parts: readonly OutputPart[], at: number, lose: Lose): LooseMessage[] {
  const content = parts.flatMap((part) =>
    isMedia(part) ? writeMedia(part, at, lose) : [{ type: 'text', text: resultText([part]) }],
  )
  return content.length > 0 ? [{ role: 'user', content }] : []
}

function writeReply({ parts, at }: ConversationMessage, lose: Lose): LooseMessage[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const calls = parts.flatMap((part) => {
    if (part.type !== 'call') return []
    const called = { name: part.name, arguments: JSON.stringify(part.arguments) }
    return [{ id: part.id, type: 'function', function: called }]
  })
  for (const part of parts) {
    if (isMedia(part)) lose(part.type, at, 'Messages of the assistant can only contain text.')
  }
  if (texts.length + calls.length === 0) return []
  const content = texts.length > 0 ? texts.join('\n\n') : null
  return [{ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }]
}

/** A result can only contain text, so its files follow in a user message. */
function writeResults(results: readonly ResultPart[], at: number, lose: Lose): LooseMessage[] {
  const files = results.flatMap(({ name, parts }) => {
    const media = parts.filter(isMedia).flatMap((part) => writeMedia(part, at, lose))
    return media.length > 0 ? [{ type: 'text', text: `Result of ${name}:` }, ...media] : []
  })
  const answers = results.map(({ callId, parts, isError }) => {
    if (isError) lose('error-flag', at, 'A tool message has no error flag; its text stays.')
    const text = resultText(parts)
    const content = text === '' && files.length > 0 ? 'See the files below.' : text
    return { role: 'tool', tool_call_id: callId, content }
  })
  return files.length > 0 ? [...answers, { role: 'user', content: files }] : answers
}

function writeMedia(part: MediaPart, at: number, lose: Lose): object[] {
  const { type, data, url, mimeType, filename = 'file.pdf' } = part
  if (type === 'image') return [{ type: 'image_url', image_url: { url: urlOf(part) } }]
  if (url !== undefined) {
    lose(type, at, 'Chat Completions accepts the address of an image, but not of other files.')
    return []
  }
  if (type === 'file') return [{ type: 'file', file: { filename, file_data: urlOf(part) } }]
  const format = mimeType.slice('audio/'.length).replace('mpeg', 'mp3')
  return [{ type: 'input_audio', input_audio: { data, format } }]
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
