import { isObject } from '../../is-object.ts'
import { type Block, textIn } from '../../transcript/block.ts'
import type { Entry, OtherPart, Part, ResultPart, TextPart } from '../../transcript/entry.ts'
import { callIn, isModel, partsOf, responseIn } from './parts.ts'
import { isRealSignature } from './thought-signature.ts'

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
  const known = [error, output].find((value) => typeof value === 'string')
  const text = typeof known === 'string' ? known : JSON.stringify(output ?? response ?? '')
  const media = Array.isArray(parts) ? parts.filter(isObject) : []
  return {
    type: 'result',
    callId: id,
    name,
    parts: [{ type: 'text', text, native }, ...media.map(readContent)],
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
