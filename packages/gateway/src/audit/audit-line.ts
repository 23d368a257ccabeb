import { isObject } from '../protocol/json-object.ts'
import { AUDIT_OUTCOMES, type AuditEntry } from './audit-entry.ts'

// JSON escapes the first 32 characters. These also end lines, control terminals or hide text.
const UNSAFE = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

/**
 * An entry as one line of JSON. Whatever a name or a query contains, it cannot start another line or
 * look like one.
 */
export function writeAuditLine(entry: AuditEntry): string {
  return `${JSON.stringify(entry).replace(UNSAFE, escapeCharacter)}\n`
}

/** Undefined if the line is not an entry, such as one that was cut off. */
export function readAuditLine(line: string): AuditEntry | undefined {
  if (line === '') return undefined
  try {
    const entry: unknown = JSON.parse(line)
    return isEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is AuditEntry {
  if (!isObject(value)) return false
  const texts = [value.id, value.at, value.person, value.action]
  if (!texts.every((text) => typeof text === 'string')) return false
  if (value.kind !== 'request' && value.kind !== 'admin') return false
  return (AUDIT_OUTCOMES as readonly unknown[]).includes(value.outcome)
}

function escapeCharacter(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}
