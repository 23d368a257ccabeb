import { createHash } from 'node:crypto'

/**
 * Tells whether two things are the same but for the order of their keys: two connections that lead to
 * the same server in the same way, two definitions of a tool. Reveals no secret in it.
 */
export function fingerprint(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, 32)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, child]) => [key, sorted(child)])
}
