import { createHash } from 'node:crypto'

/** Identifies a record by texts of any length and with any characters, without confusing them. */
export function recordKey(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
