import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs'
import { isObject } from './is-object.ts'

/**
 * An argument as a Cedar value. Cedar has neither fractions nor null: a number that is not an integer
 * becomes a `decimal` if it has up to four places, otherwise text, and null is left out.
 *
 * Undefined if the value contains a key that Cedar would read as an entity or a function call.
 */
export function cedarValue(value: unknown): CedarValueJson | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return cedarNumber(value)
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map(cedarValue)
    return items.every((item) => item !== undefined) ? items : undefined
  }
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  if (entries.some(([key]) => RESERVED.has(key))) return undefined
  const converted = entries.map(([key, inner]) => [key, cedarValue(inner)] as const)
  return converted.every(([, inner]) => inner !== undefined)
    ? (Object.fromEntries(converted) as CedarValueJson)
    : undefined
}

const RESERVED = new Set(['__entity', '__extn', '__expr'])

function cedarNumber(value: number): CedarValueJson {
  if (Number.isSafeInteger(value)) return value
  const text = String(value)
  return /^-?\d{1,14}\.\d{1,4}$/.test(text) ? { __extn: { fn: 'decimal', arg: text } } : text
}
