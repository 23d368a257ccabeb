import { createBoundedMap } from '../system/bounded-map.ts'
import { isSameSecret } from '../system/is-same-secret.ts'
import { createApiKey, parseApiKey } from './api-key.ts'
import type { RefusedCredential } from './identity.ts'
import type { KeyStore, StoredKey } from './key-store.ts'
import { type Person, personId } from './person.ts'

/** API keys for machines: created, listed, revoked and checked. */
export interface ApiKeys {
  /** `key` is shown to a person once. Only its hash is stored. */
  create(request: NewKey): Promise<{ readonly key: string; readonly stored: StoredKey }>
  list(): Promise<readonly StoredKey[]>
  /** Who uses the key with this id, whether or not it is still valid. For administrators. */
  ownerOf(id: string): Promise<Person | undefined>
  /** Takes effect at once in this process, and within a second in others. False if there is none. */
  revoke(id: string): Promise<boolean>
  /**
   * Whose key it is, or why it is not valid. A promise unless the key was checked a moment ago. Rejects
   * if the store cannot be reached.
   */
  check(key: string): KeyOwner | Promise<KeyOwner>
  close(): Promise<void>
}

export type NewKey = Pick<StoredKey, 'name' | 'groups' | 'role'> &
  Partial<Pick<StoredKey, 'scope' | 'expiresAt' | 'createdBy'>>

export type KeyOwner =
  | { readonly person: Person }
  | ({ readonly problem: string } & RefusedCredential)

/** Another process may revoke a key at any time, so nothing is remembered for longer than this. */
const RECHECK_MS = 500
const MARK_USED_MS = 60_000
const MAX_CACHED = 10_000
/** Compared with keys that do not exist, so that these take as long as others. */
const NO_HASH = '0'.repeat(64)

export function createApiKeys(store: KeyStore, now: () => number = Date.now): ApiKeys {
  interface Checked {
    readonly owner: KeyOwner
    readonly until: number
  }
  let checked = createBoundedMap<string, Checked>(MAX_CACHED)
  const markedAt = createBoundedMap<string, number>(MAX_CACHED)

  async function read(id: string, hash: string): Promise<KeyOwner> {
    const at = now()
    const cache = checked
    const stored = await store.find(id)
    const owner = checkOwner(stored, { id, hash, at })
    // Not into the cache of a time before a key was revoked.
    if (cache === checked) cache.set(hash, { owner, until: at + RECHECK_MS })
    if ('person' in owner) markUsed(id, at)
    return owner
  }

  function markUsed(id: string, at: number): void {
    if (at - (markedAt.get(id) ?? 0) < MARK_USED_MS) return
    markedAt.set(id, at)
    // Nobody should be refused because this cannot be stored.
    store.markUsed(id, at).catch(() => {})
  }

  return {
    async create(request) {
      const { id, key, hash } = createApiKey()
      const stored: StoredKey = { id, hash, createdAt: now(), ...request }
      await store.add(stored)
      return { key, stored }
    },
    list: () => store.list(),
    async ownerOf(id) {
      const stored = await store.find(id)
      return stored && personOf(stored)
    },
    async revoke(id) {
      const isRevoked = await store.revoke(id, now())
      checked = createBoundedMap(MAX_CACHED)
      return isRevoked
    },
    check(key) {
      const parsed = parseApiKey(key)
      if (!parsed) return { problem: 'The API key is incomplete or mistyped.', cause: 'invalid' }
      const known = checked.get(parsed.hash)
      if (known && now() < known.until) return known.owner
      return read(parsed.id, parsed.hash)
    },
    close: () => store.close(),
  }
}

function checkOwner(
  stored: StoredKey | undefined,
  { id, hash, at }: { readonly id: string; readonly hash: string; readonly at: number },
): KeyOwner {
  const claimed = personId('key', id)
  const isSame = isSameSecret(hash, stored?.hash ?? NO_HASH)
  if (!stored || !isSame) {
    return { problem: 'There is no such API key.', cause: 'unknown-key', claimed }
  }
  if (stored.revokedAt !== undefined) {
    return { problem: 'The API key has been revoked.', cause: 'revoked', claimed }
  }
  const { expiresAt } = stored
  if (expiresAt !== undefined && expiresAt <= at) {
    return { problem: 'The API key has expired.', cause: 'expired', claimed }
  }
  return { person: personOf(stored) }
}

function personOf({ id, name, groups, role, scope, expiresAt }: StoredKey): Person {
  return {
    id: personId('key', id),
    issuer: 'key',
    subject: id,
    name,
    groups,
    // A key that cannot use every tool must not change the gateway.
    role: scope ? 'member' : role,
    ...(scope && { scope }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}
