import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  Lose,
  ResultPart,
} from '../../conversations/conversation.ts'
import {
  isMedia,
  mediaFromData,
  mediaFromUrl,
  partsOf,
  resultText,
  textOf,
} from '../../conversations/media.ts'
import { isObject } from '../../is-object.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'

/** A model message of the AI SDK, assignable to the SDK's own type. */
export interface SdkModelMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK has a type for each role
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content: any
}

type Part = Readonly<Record<string, unknown>>

/** Model messages of the AI SDK. The model behind it can be anyone's. */
export const aiSdkFormat: ConversationFormat = {
  acceptsName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,

  read: (messages, { lose }) => messages.map((message, at) => readMessage(message, at, lose)),

  write: (messages, lose) => messages.flatMap((message) => writeMessage(message, lose)),
}

const ROLES: Readonly<Record<string, Draft['role']>> = {
  system: 'system',
  assistant: 'assistant',
  tool: 'tool',
}

function readMessage({ role, content }: Part, at: number, lose: Lose): Draft {
  const parts = partsOf(content).flatMap((part) => readPart(part, at, lose))
  return { role: ROLES[String(role)] ?? 'user', parts, at }
}

function readPart(part: Part, at: number, lose: Lose): DraftPart[] {
  const { type, toolCallId, toolName, input, output } = part
  if (type === 'reasoning' || type === 'reasoning-file') {
    lose('thinking', at, 'Only the model that wrote it can read reasoning.')
    return []
  }
  if (type === 'tool-call' && part.providerExecuted !== true) {
    const args = parseArguments(input)
    return [{ type: 'call', id: toolCallId, name: String(toolName), arguments: args }]
  }
  if (type === 'tool-result') {
    return [{ type: 'result', callId: toolCallId, ...readOutput(output, at, lose) }]
  }
  return readContent(part, at, lose)
}

function readOutput(
  output: unknown,
  at: number,
  lose: Lose,
): { parts: readonly OutputPart[]; isError: boolean } {
  const { type, value, reason } = isObject(output) ? output : {}
  const isError = String(type).startsWith('error') || type === 'execution-denied'
  if (type === 'content') {
    return { parts: partsOf(value).flatMap((part) => readContent(part, at, lose)), isError }
  }
  const data = type === 'execution-denied' ? (reason ?? 'The call was denied.') : value
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? '')
  return { parts: [{ type: 'text', text }], isError }
}

function readContent(part: Part, at: number, lose: Lose): ContentPart[] {
  const { type, text } = part
  if (typeof text === 'string') return [{ type: 'text', text }]
  const media = readMedia(part)
  if (media !== undefined) return [media]
  lose(isFile(type) ? 'file' : 'native', at, `A part of the type ${String(type)} cannot travel.`)
  return []
}

function isFile(type: unknown): boolean {
  return type === 'image' || String(type).startsWith('file')
}

function readMedia({ type, image, data, url, mediaType, filename }: Part): MediaPart | undefined {
  if (!isFile(type)) return undefined
  const given = image ?? data ?? url
  const tagged = isObject(given) && !(given instanceof URL) && !isBytes(given)
  const value = tagged ? (given.data ?? given.url) : given
  const fallback = type === 'image' ? 'image/png' : 'application/octet-stream'
  const mimeType = typeof mediaType === 'string' ? mediaType : fallback
  if (isBytes(value)) return mediaFromData(toBase64(value), mimeType, filename)
  if (typeof value !== 'string' && !(value instanceof URL)) return undefined
  return /^(?:https?|data):/.test(String(value))
    ? { ...mediaFromUrl(String(value), mimeType, filename) }
    : mediaFromData(String(value), mimeType, filename)
}

function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
}

function toBase64(bytes: Uint8Array | ArrayBuffer): string {
  let binary = ''
  for (const byte of new Uint8Array(bytes)) binary += String.fromCodePoint(byte)
  return btoa(binary)
}

function writeMessage({ role, parts, at }: ConversationMessage, lose: Lose): Part[] {
  if (role === 'system') lose('system-role', at, 'An instruction became a user message.')
  const content = parts.map((part): Part => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.type === 'result') return writeResult(part, at, lose)
    if (part.type !== 'call') return writeMedia(part)
    const { id, name, arguments: input } = part
    return { type: 'tool-call', toolCallId: id, toolName: name, input }
  })
  return [{ role: role === 'system' ? 'user' : role, content }]
}

function writeResult({ callId, name, parts, isError }: ResultPart, at: number, lose: Lose): Part {
  const media = parts.filter(isMedia)
  if (isError) {
    for (const { type } of media) lose(type, at, 'An error result can only contain text.')
  }
  const output = isError
    ? { type: 'error-text', value: resultText(parts) }
    : media.length === 0
      ? { type: 'text', value: resultText(parts) }
      : {
          type: 'content',
          value: parts.map((part) =>
            isMedia(part) ? writeMedia(part) : { type: 'text', text: textOf(part) ?? '' },
          ),
        }
  return { type: 'tool-result', toolCallId: callId, toolName: name, output }
}

function writeMedia({ data, url, mimeType, filename }: MediaPart): Part {
  return {
    type: 'file',
    mediaType: mimeType,
    data:
      url === undefined ? { type: 'data', data: data ?? '' } : { type: 'url', url: new URL(url) },
    ...(filename !== undefined && { filename }),
  }
}
