import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import { openDatabase } from '../state/open-database.ts'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import { createApiKeys } from './api-keys.ts'
import { describeKeyStore } from './key-store.cases.ts'
import { createPostgresKeyStore } from './postgres-key-store.ts'

describe('createPostgresKeyStore', () => {
  describeKeyStore(async () => {
    const [one, other] = await openReplicas()
    const databases = [one.database, other.database]
    return { open: () => createPostgresKeyStore(databases.reverse()[0]!) }
  })

  it('refuses a key in all replicas soon after one has revoked it', async () => {
    const [one, other] = await openReplicas()
    const keys = createApiKeys(createPostgresKeyStore(one.database))
    const elsewhere = createApiKeys(createPostgresKeyStore(other.database))
    const { key, stored } = await keys.create({ name: 'ci', groups: ['bots'], role: 'member' })
    expect(await elsewhere.check(key)).toMatchObject({ person: { groups: ['bots'] } })
    expect(await keys.revoke(stored.id)).toBe(true)
    await expect.poll(async () => elsewhere.check(key)).toHaveProperty('problem')
  })

  it('accepts no key while the database cannot be reached', async () => {
    const database = await openDatabase(await freshDatabase())
    const { key } = await createApiKeys(createPostgresKeyStore(database)).create({
      name: 'ci',
      groups: [],
      role: 'member',
    })
    const keys = createApiKeys(createPostgresKeyStore(database))
    await database.close()
    await expect(async () => keys.check(key)).rejects.toThrow()
  })

  it('finds nothing for an id that tries to be SQL', async () => {
    const [{ database }] = await openReplicas()
    const store = createPostgresKeyStore(database)
    await store.add({
      id: 'a',
      hash: 'h',
      name: "'; drop table toolsearch_keys; --\0",
      groups: ["') or true --"],
      role: 'member',
      createdAt: 1,
    })
    for (const id of ["' or '1'='1", 'a\0', '%', "a'; delete from toolsearch_keys; --"]) {
      expect(await store.find(id)).toBeUndefined()
      expect(await store.revoke(id, 2)).toBe(false)
      await store.markUsed(id, 3)
    }
    expect(await store.list()).toHaveLength(1)
    expect(await store.find('a')).toMatchObject({ name: "'; drop table toolsearch_keys; --\0" })
  })
})
