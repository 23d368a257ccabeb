import { afterEach, expect, it } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import type { Announced } from './announcements.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import { countChange, watchRecords } from './record-changes.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(url: string): Promise<Database> {
  const database = await openDatabase(url)
  closers.push(() => database.close())
  return database
}

const change = (database: Database, kind: Announced) =>
  database.transaction((queries) => countChange(queries, kind))

it('tells other replicas about the kind of record that has changed', async () => {
  const url = await freshDatabase()
  const [one, other] = [await open(url), await open(url)]
  const changes = watchRecords(other, { intervalMs: 20 })
  closers.push(changes.close)
  const seen: Announced[] = []
  const stop = changes.subscribe('approvals', () => void seen.push('approvals'))
  changes.subscribe('keys', () => void seen.push('keys'))
  await change(one, 'keys')
  await expect.poll(() => seen).toEqual(['keys'])
  await change(one, 'approvals')
  await expect.poll(() => seen).toEqual(['keys', 'approvals'])
  stop()
  await change(one, 'approvals')
  await change(one, 'keys')
  await expect.poll(() => seen).toEqual(['keys', 'approvals', 'keys'])
})

it('looks for changes on request, without waiting', async () => {
  const database = await open(await freshDatabase())
  const changes = watchRecords(database, { intervalMs: 60_000 })
  closers.push(changes.close)
  let count = 0
  changes.subscribe('keys', () => {
    count += 1
  })
  await change(database, 'keys')
  await changes.check()
  expect(count).toBe(1)
  await Promise.all([changes.check(), changes.check()])
  expect(count).toBe(1)
})
