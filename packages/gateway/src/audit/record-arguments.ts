import { looksSecret, namesSecret, REDACTED } from '../config/redact.ts'
import { LONGEST_SECRET } from '../config/secret-mask.ts'
import type { AuditConfig } from '../config/team-config.ts'
import { clipText } from './clip-text.ts'
import { maskStart } from './mask-start.ts'

export interface RecordArgumentsOptions {
  readonly how: AuditConfig['arguments']
  /** Masks known secrets in a text. */
  readonly mask: (text: string) => string
}

const MAX_DEPTH = 8
const MAX_ENTRIES = 100
const MAX_KEY = 100
const MAX_REDACTED_TEXT = 200
/** Of all texts together. Looking for secrets in more keeps others waiting. */
const MAX_REDACTED_CHARS = 200_000
const MAX_FULL_BYTES = 1_000_000

/**
 * What the audit log contains of the arguments of a call; undefined for nothing.
 *
 * - `shape`: names and types, no values
 * - `redacted`: values without secrets; long ones are cut
 * - `full`: everything, up to a megabyte
 */
export function recordArguments(args: unknown, { how, mask }: RecordArgumentsOptions): unknown {
  if (how === 'none' || args === undefined) return undefined
  if (how === 'shape') return shapeOf(args, 0)
  if (how === 'redacted') return redacted(args, { mask, left: MAX_REDACTED_CHARS }, 0)
  const bytes = Buffer.byteLength(JSON.stringify(args) ?? '')
  return bytes > MAX_FULL_BYTES ? `(${bytes} bytes, not recorded)` : cleaned(args)
}

/** Every value is replaced by its type; arrays have one entry for each type in them. */
function shapeOf(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) return 'array'
    const shapes = value.slice(0, MAX_ENTRIES).map((item) => shapeOf(item, depth + 1))
    return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()].slice(0, 5)
  }
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  return depth >= MAX_DEPTH ? 'object' : mapped(value, (inner) => shapeOf(inner, depth + 1))
}

interface Redaction {
  readonly mask: (text: string) => string
  /** How many more characters are searched. */
  left: number
}

function redacted(value: unknown, redaction: Redaction, depth: number): unknown {
  if (typeof value === 'string') return redactedText(value, redaction)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? '[…]' : '{…}'
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map((item) => redacted(item, redaction, depth + 1))
    return value.length > shown.length ? [...shown, `… (${value.length} items)`] : shown
  }
  return mapped(value, (inner, key) => {
    const isSecret = namesSecret(key) && inner !== null && typeof inner !== 'boolean'
    return isSecret ? REDACTED : redacted(inner, redaction, depth + 1)
  })
}

function redactedText(text: string, redaction: Redaction): string {
  if (redaction.left <= 0) return `… (${text.length} characters)`
  redaction.left -= Math.min(text.length, MAX_REDACTED_TEXT + LONGEST_SECRET)
  const { masked, total } = maskStart(text, { mask: redaction.mask, length: MAX_REDACTED_TEXT })
  // Nothing after the cut is recorded, but a word that is cut has to look like what it is.
  const start = masked.slice(0, 4 * MAX_REDACTED_TEXT)
  const words = start.split(/([\s/@,;:"'=?&()[\]{}<>]+)/)
  const shown = words.map((word) => (looksSecret(word) ? REDACTED : word)).join('')
  return clipText(shown, MAX_REDACTED_TEXT, start.length < masked.length ? text.length : total)
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return clipText(value, MAX_FULL_BYTES)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [clipText(key, MAX_FULL_BYTES), cleaned(inner)]),
  )
}

function mapped(value: object, change: (inner: unknown, key: string) => unknown): object {
  const entries = Object.entries(value)
  const shown = entries
    .slice(0, MAX_ENTRIES)
    .map(([key, inner]) => [clipText(key, MAX_KEY), change(inner, key)] as const)
  if (entries.length > shown.length) shown.push(['…', `${entries.length} entries`])
  return Object.fromEntries(shown)
}
