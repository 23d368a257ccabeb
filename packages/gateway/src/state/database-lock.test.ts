import { afterEach, expect, it } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import type { Database } from './database.ts'
import { withDatabaseLock } from './database-lock.ts'
import { openDatabase } from './open-database.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function replicas(count: number): Promise<Database[]> {
  const url = await freshDatabase()
  const databases = await Promise.all(Array.from({ length: count }, () => openDatabase(url)))
  opened.push(...databases)
  return databases
}

it('runs one task at a time, each with a higher fence', async () => {
  const databases = await replicas(3)
  let running = 0
  const fences: number[] = []
  const tasks = Array.from({ length: 12 }, (_, index) =>
    withDatabaseLock(databases[index % 3]!, 'a', async ({ fence }) => {
      expect(++running).toBe(1)
      fences.push(fence)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
    }),
  )
  await Promise.all(tasks)
  expect(fences).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
})

it('keeps locks of other names apart, and releases a lock when its task fails', async () => {
  const [database] = await replicas(1)
  await withDatabaseLock(database!, 'a', () => withDatabaseLock(database!, 'b', async () => {}))
  const failing = withDatabaseLock(database!, 'a', async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await withDatabaseLock(database!, 'a', async () => 'ran')).toBe('ran')
})

it('holds a lock for as long as its task runs', async () => {
  const [one, other] = await replicas(2)
  const events: string[] = []
  const first = withDatabaseLock(
    one!,
    'a',
    async ({ signal }) => {
      events.push('first starts')
      // More than twice the lease.
      await new Promise((resolve) => setTimeout(resolve, 3_500))
      expect(signal.aborted).toBe(false)
      events.push('first ends')
    },
    { leaseMs: 1_500 },
  )
  await expect.poll(() => events).toEqual(['first starts'])
  await withDatabaseLock(other!, 'a', async () => void events.push('second'))
  await first
  expect(events).toEqual(['first starts', 'first ends', 'second'])
})

it('takes the lock of a process that no longer renews it, and tells that process', async () => {
  const [one, other] = await replicas(2)
  let isLost = false
  let finish = () => {}
  let hasExpired = false
  const frozen = withDatabaseLock(
    one!,
    'a',
    async ({ signal }) => {
      signal.addEventListener('abort', () => {
        isLost = true
      })
      // As if the process had been frozen: its lease ends without having been renewed.
      await one!.run((queries) =>
        queries
          .updateTable('toolsearch_locks')
          .set({ expires_at: new Date(0) })
          .execute(),
      )
      hasExpired = true
      await new Promise<void>((resolve) => {
        finish = resolve
      })
    },
    // Long enough that the other process comes before the next renewal, also on a busy machine.
    { leaseMs: 6_000 },
  )
  await expect.poll(() => hasExpired).toBe(true)
  const fence = await withDatabaseLock(other!, 'a', async ({ fence }) => {
    await expect.poll(() => isLost).toBe(true)
    return fence
  })
  expect(fence).toBe(2)
  finish()
  await frozen
  // The late release of the first does not end a lock of somebody else.
  await withDatabaseLock(other!, 'a', async () => {})
})

it('gives up if another replica holds the lock for too long', async () => {
  const [one, other] = await replicas(2)
  await withDatabaseLock(one!, 'a', async () => {
    const waiting = withDatabaseLock(other!, 'a', async () => {}, { timeoutMs: 100 })
    await expect(waiting).rejects.toMatchObject({ code: 'database_unavailable' })
  })
})
