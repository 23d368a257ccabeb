import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  Lose,
  ResultPart,
} from '../../conversations/conversation.ts'
import { isMedia, mediaFromData, mediaFromUrl, resultText } from '../../conversations/media.ts'
import { isObject } from '../../is-object.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { matchResponses } from './match-responses.ts'
import {
  ACCEPTED_NAME,
  type GeminiContent,
  isModel,
  type Part,
  partsOf,
  responseIn,
} from './parts.ts'
import { isRealSignature, signed } from './thought-signature.ts'

/** Contents of the Gemini API. */
export const geminiFormat: ConversationFormat = {
  acceptsName: ACCEPTED_NAME,

  read(messages, { lose }) {
    const contents = messages as readonly GeminiContent[]
    const { turns } = matchResponses(contents)
    // Most calls have no id, and a response refers to its call by name and order.
    const ids = new Map<number, string[]>()
    const idOfResponse = new Map<Part, string>()
    for (const { at, calls, responses } of turns) {
      const known = calls.map(({ id }, index) => id ?? `call_${at}_${index}`)
      ids.set(at, known)
      responses.forEach((response, index) => {
        if (response !== undefined) idOfResponse.set(response.part, known[index]!)
      })
    }
    return contents.flatMap((content, at) =>
      isModel(content)
        ? [readModel(partsOf(content), ids.get(at) ?? [], at, lose)]
        : readUser(partsOf(content), idOfResponse, at, lose),
    )
  },

  write: (messages, lose) => messages.flatMap((message) => writeContent(message, lose)),
}

function readModel(parts: readonly Part[], ids: readonly string[], at: number, lose: Lose): Draft {
  const read: DraftPart[] = []
  let calls = 0
  if (parts.some((part) => part.thought === true || isRealSignature(part.thoughtSignature))) {
    lose('thinking', at, 'Only Gemini can read its thoughts and their signatures.')
  }
  for (const part of parts) {
    const { functionCall: call } = part
    const last = read.at(-1)
    if (part.thought === true) continue
    if (isObject(call)) {
      if (typeof call.name !== 'string' || call.name === '') continue
      read.push({ type: 'call', id: ids[calls], name: call.name, arguments: call.args ?? {} })
      calls += 1
    } else if (typeof part.text === 'string' && last?.type === 'text') {
      // A streamed text can have several parts.
      read[read.length - 1] = { type: 'text', text: last.text + part.text }
    } else read.push(...readContent(part, at, lose))
  }
  return { role: 'assistant', parts: read, at }
}

function readUser(
  parts: readonly Part[],
  idOfResponse: ReadonlyMap<Part, string>,
  at: number,
  lose: Lose,
): Draft[] {
  const results = parts.filter(responseIn).map(
    (part): DraftPart => ({
      type: 'result',
      callId: idOfResponse.get(part),
      ...readResponse(part.functionResponse as Part, at, lose),
    }),
  )
  const others = parts.filter((part) => !responseIn(part))
  return [
    { role: 'tool', parts: results, at },
    { role: 'user', parts: others.flatMap((part) => readContent(part, at, lose)), at },
  ]
}

function readResponse(
  { response, parts }: Part,
  at: number,
  lose: Lose,
): { parts: OutputPart[]; isError: boolean } {
  const { output, error } = isObject(response) ? response : {}
  const known = [error, output].find((value) => typeof value === 'string')
  const text = typeof known === 'string' ? known : JSON.stringify(output ?? response ?? '')
  const media = Array.isArray(parts) ? parts.filter(isObject) : []
  return {
    parts: [
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...media.flatMap((part) => readContent(part, at, lose)),
    ],
    isError: error !== undefined,
  }
}

function readContent(part: Part, at: number, lose: Lose): ContentPart[] {
  const { text, inlineData, fileData } = part
  if (typeof text === 'string') return [{ type: 'text', text }]
  if (isObject(inlineData)) {
    const { data, mimeType, displayName } = inlineData
    return [mediaFromData(String(data ?? ''), String(mimeType ?? ''), displayName)]
  }
  if (isObject(fileData)) {
    const { fileUri, mimeType, displayName } = fileData
    return [mediaFromUrl(String(fileUri), String(mimeType ?? ''), displayName)]
  }
  const [kind] = Object.keys(part).filter((key) => key !== 'thoughtSignature')
  if (kind !== undefined) lose('native', at, `Only Gemini has parts with ${kind}.`)
  return []
}

function writeContent(message: ConversationMessage, lose: Lose): Record<string, unknown>[] {
  const { role, at } = message
  if (role === 'system') lose('system-role', at, 'An instruction became a user content.')
  const parts = message.parts.map((part): Part => {
    if (part.type === 'text') return { text: part.text }
    if (part.type === 'result') return writeResult(part)
    if (part.type !== 'call') return writeMedia(part)
    const { id, name, arguments: args } = part
    return { functionCall: { id, name, args } }
  })
  return role === 'assistant'
    ? [{ role: 'model', parts: signed(parts) }]
    : [{ role: 'user', parts }]
}

function writeResult({ callId, name, parts, isError }: ResultPart): Part {
  const text = resultText(parts)
  const media = parts.filter(isMedia)
  return {
    functionResponse: {
      id: callId,
      name,
      response: isError ? { error: text } : { output: text },
      ...(media.length > 0 && { parts: media.map(writeMedia) }),
    },
  }
}

function writeMedia({ data, url, mimeType, filename }: MediaPart): Part {
  const named = filename === undefined ? {} : { displayName: filename }
  return url === undefined
    ? { inlineData: { mimeType, data, ...named } }
    : { fileData: { mimeType, fileUri: url, ...named } }
}
