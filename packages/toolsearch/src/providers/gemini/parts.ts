import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'

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
