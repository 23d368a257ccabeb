import { createHash } from 'node:crypto'
import type { ServerConnection } from '../config/gateway-config.ts'

/** Tells whether two connections lead to the same server in the same way. Reveals no secret in it. */
export function fingerprint(connection: ServerConnection): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(connection)))
    .digest('hex')
    .slice(0, 32)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, child]) => [key, sorted(child)])
}
