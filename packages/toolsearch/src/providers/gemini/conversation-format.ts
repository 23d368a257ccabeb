import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  ReportLost,
  ResultPart,
} from '../../conversations/conversation.ts'
import { isMedia, readContent, resultText, writeMedia } from '../../conversations/media.ts'
import { isObject } from '../../is-object.ts'
import { typeOfName } from '../../outputs/file-types.ts'
import { isGeminiNestable } from '../../outputs/gemini-media.ts'
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
import { inlinePart } from './results.ts'
import { isRealSignature, signed } from './thought-signature.ts'

/** Contents of the Gemini API. */
export const geminiFormat: ConversationFormat = {
  acceptsName: ACCEPTED_NAME,

  read(messages, { reportLost }) {
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
        ? [readModel(partsOf(content), ids.get(at) ?? [], at, reportLost)]
        : readUser(partsOf(content), idOfResponse, at, reportLost),
    )
  },

  write: (messages, reportLost) => messages.flatMap((message) => writeContent(message, reportLost)),
}

function readModel(
  parts: readonly Part[],
  ids: readonly string[],
  at: number,
  reportLost: ReportLost,
): Draft {
  const read: DraftPart[] = []
  let calls = 0
  if (parts.some((part) => part.thought === true || isRealSignature(part.thoughtSignature))) {
    reportLost('thinking', at, 'Only Gemini can read its thoughts and their signatures.')
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
    } else read.push(...readPart(part, at, reportLost))
  }
  return { role: 'assistant', parts: read, at }
}

function readUser(
  parts: readonly Part[],
  idOfResponse: ReadonlyMap<Part, string>,
  at: number,
  reportLost: ReportLost,
): Draft[] {
  const results = parts.filter(responseIn).map(
    (part): DraftPart => ({
      type: 'result',
      callId: idOfResponse.get(part),
      ...readResponse(part.functionResponse as Part, at, reportLost),
    }),
  )
  const others = parts.filter((part) => !responseIn(part))
  return [
    { role: 'tool', parts: results, at },
    { role: 'user', parts: others.flatMap((part) => readPart(part, at, reportLost)), at },
  ]
}

function readResponse(
  { response, parts }: Part,
  at: number,
  reportLost: ReportLost,
): { parts: OutputPart[]; isError: boolean } {
  const { output, error } = isObject(response) ? response : {}
  const known = [error, output].find((value) => typeof value === 'string')
  const text = typeof known === 'string' ? known : JSON.stringify(output ?? response ?? '')
  const media = Array.isArray(parts) ? parts.filter(isObject) : []
  return {
    parts: [
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...media.flatMap((part) => readPart(part, at, reportLost)),
    ],
    isError: error !== undefined,
  }
}

function readPart(part: Part, at: number, reportLost: ReportLost): ContentPart[] {
  const read = readContent(part)
  if (read !== undefined) return [read]
  const [kind] = Object.keys(part).filter((key) => key !== 'thoughtSignature')
  if (kind === 'inlineData' || kind === 'fileData') {
    reportLost('file', at, `The ${kind} of a part is incomplete.`)
  } else if (kind !== undefined) reportLost('native', at, `Only Gemini has parts with ${kind}.`)
  return []
}

function writeContent(
  message: ConversationMessage,
  reportLost: ReportLost,
): Record<string, unknown>[] {
  const { role, at } = message
  if (role === 'system') reportLost('system-role', at, 'An instruction became a user content.')
  const attachments: Part[] = []
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type === 'text') return [{ text: part.text }]
    if (part.type === 'result') {
      const { response, attached } = writeResult(part, at, reportLost)
      attachments.push(...attached)
      return [response]
    }
    if (part.type !== 'call') return writeMedia(part, { write: mediaPart, at, reportLost })
    const { id, name, arguments: args } = part
    return [{ functionCall: { id, name, args } }]
  })
  const contents =
    role === 'assistant'
      ? [{ role: 'model', parts: signed(parts) }]
      : [
          { role: 'user', parts },
          { role: 'user', parts: attachments },
        ]
  return contents.filter((content) => content.parts.length > 0)
}

/** A response can contain only some media. The others follow in a content of their own. */
function writeResult(
  { callId, name, parts, isError }: ResultPart,
  at: number,
  reportLost: ReportLost,
): { response: Part; attached: Part[] } {
  const text = resultText(parts)
  const media = parts.filter(isMedia)
  const writer = { write: mediaPart, at, reportLost }
  const nested = media.filter(isGeminiNestable).flatMap((part) => writeMedia(part, writer))
  const others = media
    .filter((part) => !isGeminiNestable(part))
    .flatMap((part) => writeMedia(part, writer))
  const functionResponse = {
    id: callId,
    name,
    response: isError ? { error: text } : { output: text },
    ...(nested.length > 0 && { parts: nested }),
  }
  return {
    response: { functionResponse },
    attached: others.length > 0 ? [{ text: `Result of ${name}:` }, ...others] : [],
  }
}

function mediaPart(part: MediaPart): Part | string {
  const { url, mimeType } = part
  if (url === undefined) return inlinePart(part)
  if (!/^(?:https|gs):/.test(url)) return 'Gemini reads only https and gs addresses.'
  // The service needs an exact type.
  const exact = mimeType.endsWith('/*') ? typeOfName(url) : mimeType
  return { fileData: { fileUri: url, ...(exact !== undefined && { mimeType: exact }) } }
}
