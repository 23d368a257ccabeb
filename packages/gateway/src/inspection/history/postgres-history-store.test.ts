import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../../../../testing/services/start-postgres.ts'
import { openDatabase } from '../../state/open-database.ts'
import { openReplicas } from '../../state/open-replicas.fixtures.ts'
import type { HistoryEntry } from './history-entry.ts'
import { describeHistoryStore } from './history-store.cases.ts'
import { createPostgresHistoryStore } from './postgres-history-store.ts'

describe('createPostgresHistoryStore', () => {
  describeHistoryStore(async () => {
    const [one, other] = await openReplicas()
    const databases = [one.database, other.database]
    return (options) => createPostgresHistoryStore(databases.reverse()[0]!, options)
  })

  const starting = startPostgres()
  afterAll(async () => (await starting).close())

  it('keeps entries in memory while the database cannot be reached, and stores them afterwards', async () => {
    const postgres = await starting
    const database = await openDatabase(await postgres.freshDatabase())
    const store = createPostgresHistoryStore(database)
    await postgres.stop()
    const entry: HistoryEntry = {
      id: '1',
      at: new Date().toISOString(),
      session: 's',
      client: 'Ada',
      kind: 'call',
      tool: 'mail__send',
      server: 'mail',
      milliseconds: 1,
      size: 2,
      tokens: 3,
    }
    store.append(entry)
    await store.flush()
    expect(store.isWorking).toBe(false)
    expect(await store.read({ since: 0, until: Date.now() + 1 })).toEqual([])
    await postgres.start()
    await expect.poll(() => store.isWorking).toBe(true)
    expect(await store.read({ since: 0, until: Date.now() + 1 })).toEqual([entry])

    // Also if there is nothing to store.
    await postgres.stop()
    expect(await store.read({ since: 0, until: Date.now() + 1 })).toEqual([])
    expect(store.isWorking).toBe(false)
    await postgres.start()
    await expect.poll(() => store.isWorking).toBe(true)
    await database.close()
  })
})
