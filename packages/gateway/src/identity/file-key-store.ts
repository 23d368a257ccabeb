import { readFile } from 'node:fs/promises'
import { atomicWrite, PRIVATE_MODE } from '../system/atomic-write.ts'
import { withLock } from '../system/with-lock.ts'
import type { KeyStore, StoredKey } from './key-store.ts'

const FORMAT = 1

/** Stores keys in one file, which only the user can read. Processes can share it. */
export function createFileKeyStore(file: string): KeyStore {
  async function read(): Promise<readonly StoredKey[]> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return []
    const { format, keys } = JSON.parse(text) as { format: unknown; keys: StoredKey[] }
    if (format !== FORMAT) throw new Error(`${file} was written by another version of toolsearch.`)
    return keys
  }

  /** Resolves to whether anything changed. */
  function update(change: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<boolean> {
    return withLock(`${file}.lock.d`, async () => {
      const before = await read()
      const keys = change(before)
      if (keys === before) return false
      await atomicWrite(file, JSON.stringify({ format: FORMAT, keys }), { mode: PRIVATE_MODE })
      return true
    })
  }

  /** Replaces the key with this id, if `isDue` says so. */
  function set(id: string, values: Partial<StoredKey>, isDue: (key: StoredKey) => boolean) {
    return update((keys) =>
      keys.some((key) => key.id === id && isDue(key))
        ? keys.map((key) => (key.id === id ? { ...key, ...values } : key))
        : keys,
    )
  }

  return {
    find: async (id) => (await read()).find((key) => key.id === id),
    list: async () => (await read()).toSorted((one, other) => other.createdAt - one.createdAt),
    async add(key) {
      await update((keys) => {
        if (keys.some(({ id }) => id === key.id)) throw new Error(`There is a key ${key.id}.`)
        return [...keys, key]
      })
    },
    revoke: (id, at) => set(id, { revokedAt: at }, ({ revokedAt }) => revokedAt === undefined),
    async markUsed(id, at) {
      await set(id, { lastUsedAt: at }, ({ lastUsedAt = 0 }) => lastUsedAt < at)
    },
    close: async () => {},
  }
}
