import type { StoredKey } from '../../identity/key-store.ts'
import type { KeySummary } from '../team-api.ts'

/** A stored key as the page shows it: without its hash. */
export function keySummary(key: StoredKey, now: number): KeySummary {
  const { id, name, groups, role, scope, createdBy } = key
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const isExpired = expiresAt !== undefined && expiresAt <= now
  return {
    id,
    name,
    state: revokedAt !== undefined ? 'revoked' : isExpired ? 'expired' : 'active',
    groups,
    role,
    ...(scope?.allow && { allow: scope.allow }),
    ...(scope?.profiles && { profiles: scope.profiles }),
    createdAt: iso(createdAt),
    ...(createdBy !== undefined && { createdBy }),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
  }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
