import { isObject } from '../../is-object.ts'

/** A part of a content, as loosely as histories are. */
export type Part = { readonly [key: string]: unknown }

/**
 * A content of the Gemini API. The client's own type fits it and it fits the client's: pass that
 * as the type argument of `gemini` to have it back.
 */
export interface GeminiContent {
  // biome-ignore lint/suspicious/noExplicitAny: the client's versions disagree on what may be absent
  role?: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  parts?: any
}

/** A call or a response, as far as they are paired by it. */
export interface Named {
  readonly id?: string
  readonly name: string
}

export function partsOf({ parts }: GeminiContent): readonly Part[] {
  return Array.isArray(parts) ? parts.filter(isObject) : []
}

/** The service takes a content without a role for the user's. */
export function isModel({ role }: GeminiContent): boolean {
  return role === 'model'
}

/** The call in a part; undefined if there is none, or none that could be answered. */
export function callIn(part: Part): (Named & { readonly args: unknown }) | undefined {
  const call = named(part.functionCall)
  return call && { ...call, args: (part.functionCall as Part).args ?? {} }
}

export function responseIn(part: Part): Named | undefined {
  return named(part.functionResponse)
}

/**
 * Whether the service takes a part from this role. It refuses parts that say nothing, calls of the
 * user and responses of the model. A signature alone says something.
 */
export function isSendable(part: Part, byModel: boolean): boolean {
  if (part.functionCall !== undefined) return byModel && callIn(part) !== undefined
  if (part.functionResponse !== undefined) return !byModel && responseIn(part) !== undefined
  const { text, thought: _, ...rest } = part
  return Boolean(text) || Object.values(rest).some((value) => value !== undefined)
}

export function text(value: string): Part {
  return { text: value }
}

function named(value: unknown): Named | undefined {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return undefined
  const { id, name } = value
  return { ...(typeof id === 'string' && id !== '' && { id }), name }
}
