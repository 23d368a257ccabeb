import { createHash } from 'node:crypto'

/**
 * A hash of a JSON value that ignores the order of keys. No other value has the same. Reveals no secrets in
 * the value.
 *
 * Fingerprints are stored on disk: changing the algorithm makes every approved tool look changed.
 */
export function fingerprint(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(value)))
    .digest('hex')
    .slice(0, 32)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, child]) => [key, sortKeys(child)]))
}
