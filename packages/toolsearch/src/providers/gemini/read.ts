import { isObject } from '../../is-object.ts'
import { type Block, textIn } from '../../transcript/block.ts'
import type { Entry, OtherPart, Part, ResultPart, TextPart } from '../../transcript/entry.ts'
import { readOutput } from '../../transcript/read-content.ts'

/** Whether a content has the shape of the Gemini API. */
export function recognises(content: object): boolean | undefined {
  const { parts, content: foreign, type } = content as Block
  if (Array.isArray(parts)) return true
  return foreign !== undefined || typeof type === 'string' ? false : undefined
}

/** What a content of the Gemini API says. */
export function read(content: object, at: number): Entry {
  const native = content as Block
  const parts = partsOf(native).map(readPart)
  return { role: isModel(native) ? 'assistant' : 'user', parts, native, at }
}

export function readPart(native: Block): Part {
  const call = callIn(native)
  const signed = isRealSignature(native.thoughtSignature) && { isSigned: true }
  if (call !== undefined) {
    return { type: 'call', id: call.id, name: call.name, arguments: call.args, native, ...signed }
  }
  if (native.thought === true) return { type: 'reasoning', native }
  return responseIn(native) === undefined
    ? { ...readContent(native), ...signed }
    : readResponse(native)
}

function readResponse(native: Block): ResultPart {
  const { id, name } = responseIn(native)!
  const { response, parts } = native.functionResponse as Block
  const { output, error } = isObject(response) ? response : {}
  const text = [error, output].find((value) => typeof value === 'string')
  const media = Array.isArray(parts) ? parts.filter(isObject) : []
  return {
    type: 'result',
    callId: id,
    name,
    parts: [readOutput(text ?? output ?? response, native), ...media.map(readContent)],
    isError: error !== undefined,
    native,
  }
}

function readContent(native: Block): TextPart | OtherPart {
  const text = textIn(native)
  if (text !== undefined) return { type: 'text', text, native }
  const kind = Object.keys(native).find((key) => key !== 'thoughtSignature') ?? 'nothing'
  const isFile = kind === 'inlineData' || kind === 'fileData'
  return { type: 'other', kind, ...(isFile && { stored: 'file' }), native }
}

/**
 * A content of the Gemini API. To get the client's own type back, pass it as the type argument of
 * `gemini`.
 */
export interface GeminiContent {
  // biome-ignore lint/suspicious/noExplicitAny: client versions disagree on which fields are optional
  role?: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  parts?: any
}

/** The tool names that the service accepts. */
export const ACCEPTED_NAME: RegExp = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/

/** What identifies a call or a response. */
export interface Named {
  readonly id?: string
  readonly name: string
}

interface Call extends Named {
  readonly args: unknown
  /** The call as the model made it. */
  readonly native: Block
}

export function partsOf({ parts }: { readonly parts?: unknown }): readonly Block[] {
  return Array.isArray(parts) ? parts.filter(isObject) : []
}

/** The service treats a content without a role as the user's. */
export function isModel({ role }: { readonly role?: unknown }): boolean {
  return role === 'model'
}

/** The call in a part; undefined if there is none or if it has no name. */
export function callIn(part: Block): Call | undefined {
  const call = identify(part.functionCall)
  const native = part.functionCall as Block
  return call && { ...call, args: native.args ?? {}, native }
}

export function responseIn(part: Block): Named | undefined {
  return identify(part.functionResponse)
}

/**
 * Whether the service accepts a part in a content of this role. It rejects empty parts, calls by the
 * user and responses by the model. A part with only a thought signature is not empty.
 */
export function isSendable(part: Block, isFromModel: boolean): boolean {
  if (part.functionCall !== undefined) return isFromModel && callIn(part) !== undefined
  if (part.functionResponse !== undefined) return !isFromModel && responseIn(part) !== undefined
  const { text, thought: _, ...rest } = part
  return Boolean(text) || Object.values(rest).some((value) => value !== undefined)
}

export function text(value: string): Block {
  return { text: value }
}

function identify(value: unknown): Named | undefined {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return undefined
  const { id, name } = value
  return { ...(typeof id === 'string' && id !== '' && { id }), name }
}

/**
 * Stands for the signature of a call that another model made, or whose signature was lost. The
 * service does not validate it.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const UNSIGNED = 'skip_thought_signature_validator'

/** Whether a part has a signature of Gemini's, which says something about its thoughts. */
function isRealSignature(signature: unknown): boolean {
  return signature !== undefined && signature !== UNSIGNED
}

/** A call that is accepted without a signature of its own. */
export function unsigned(call: Block): Block {
  return { ...call, thoughtSignature: UNSIGNED }
}
