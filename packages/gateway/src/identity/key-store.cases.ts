import { describe, expect, it } from 'vitest'
import type { KeyStore, StoredKey } from './key-store.ts'

const key = (id: string, more: Partial<StoredKey> = {}): StoredKey => ({
  id,
  hash: 'ab'.repeat(32),
  name: `key ${id}`,
  groups: [],
  role: 'member',
  createdAt: 1_000,
  ...more,
})

/** The contract of every key store. `open` returns stores of the same keys, empty at first. */
export function describeKeyStore(create: () => Promise<{ open(): KeyStore }>): void {
  describe('key store contract', () => {
    it('keeps every field, also for other processes', async () => {
      const stores = await create()
      const full = key('full', {
        name: `O'Brien "x" \\ ${'ä'.repeat(200)}`,
        groups: ['a', 'b, c'],
        role: 'administrator',
        scope: { allow: ['github/*'], profiles: ['sales'] },
        createdBy: 'https%3A%2F%2Fidp.example ann',
        expiresAt: 4_102_444_800_123,
      })
      const store = stores.open()
      await store.add(full)
      await store.add(key('plain', { createdAt: 2_000 }))
      const other = stores.open()
      expect(await other.find('full')).toEqual(full)
      expect(await other.find('plain')).toEqual(key('plain', { createdAt: 2_000 }))
      expect(await other.find('unknown')).toBeUndefined()
      expect((await other.list()).map(({ id }) => id)).toEqual(['plain', 'full'])
      await Promise.all([store.close(), other.close()])
    })

    it('rejects a second key with the same id', async () => {
      const store = (await create()).open()
      await store.add(key('a'))
      await expect(store.add(key('a', { name: 'other' }))).rejects.toThrow()
      expect((await store.find('a'))?.name).toBe('key a')
      await store.close()
    })

    it('revokes a key once, and other processes see it at once', async () => {
      const stores = await create()
      const [store, other] = [stores.open(), stores.open()]
      await store.add(key('a'))
      expect(await other.find('a')).toEqual(key('a'))
      const revoked = await Promise.all([store.revoke('a', 5_000), other.revoke('a', 5_000)])
      expect(revoked.toSorted()).toEqual([false, true])
      expect(await other.find('a')).toEqual(key('a', { revokedAt: 5_000 }))
      expect(await store.revoke('unknown', 5_000)).toBe(false)
      expect(await store.list()).toHaveLength(1)
      await Promise.all([store.close(), other.close()])
    })

    it('remembers the latest use, whatever the order', async () => {
      const store = (await create()).open()
      await store.add(key('a'))
      await Promise.all([5_000, 7_000, 6_000].map((at) => store.markUsed('a', at)))
      await store.markUsed('unknown', 1)
      expect(await store.find('a')).toEqual(key('a', { lastUsedAt: 7_000 }))
      await store.close()
    })

    it('loses no change when several processes write', async () => {
      const stores = await create()
      const open = Array.from({ length: 4 }, () => stores.open())
      const ids = Array.from({ length: 20 }, (_, index) => `k${index}`)
      await Promise.all(ids.map((id, index) => open[index % 4]!.add(key(id))))
      expect((await open[0]!.list()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      await Promise.all(open.map((store) => store.close()))
    })
  })
}
