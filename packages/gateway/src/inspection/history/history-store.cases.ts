import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from './history-entry.ts'
import type { HistoryStore, HistoryStoreOptions } from './history-store.ts'

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER }
const DAY_MS = 86_400_000

/** A call with this id. */
export function entry(
  id: number,
  { at = Date.now(), tool = 'mail__send' }: { at?: number; tool?: string } = {},
): HistoryEntry {
  return {
    id: String(id).padStart(6, '0'),
    at: new Date(at).toISOString(),
    session: 's',
    client: 'Ada',
    kind: 'call',
    tool,
    server: 'mail',
    milliseconds: 1,
    size: 2,
    tokens: 3,
  }
}

export const idsOf = (entries: readonly HistoryEntry[]): number[] =>
  entries.map(({ id }) => Number(id))

/**
 * The contract every history store keeps. Each store's own test file starts by calling this.
 *
 * @param create returns a function that opens the same empty storage, as different processes would
 */
export function describeHistoryStore(
  create: () => Promise<(options?: HistoryStoreOptions) => HistoryStore>,
): void {
  describe('history store contract', () => {
    it('returns the entries of a period, oldest first, to every process', async () => {
      const open = await create()
      const store = open()
      const now = Date.now()
      store.append(entry(2, { at: now - 1_000 }))
      store.append(entry(1, { at: now - 2_000 }))
      store.append(entry(3, { at: now }))
      await store.flush()
      const next = open()
      expect(await next.read(ALL)).toEqual([
        entry(1, { at: now - 2_000 }),
        entry(2, { at: now - 1_000 }),
        entry(3, { at: now }),
      ])
      expect(idsOf(await next.read({ since: now - 1_000, until: now }))).toEqual([2])
    })

    it('returns what is not written yet', async () => {
      const store = (await create())({ batchMs: 60_000 })
      store.append(entry(1))
      expect(idsOf(await store.read(ALL))).toEqual([1])
    })

    it('returns what several processes have written at the same time', async () => {
      const open = await create()
      const stores = [open(), open()]
      for (let id = 0; id < 600; id++) stores[id % 2]!.append(entry(id))
      await Promise.all(stores.map((store) => store.flush()))
      expect(await stores[0]!.read(ALL)).toHaveLength(600)
    })

    it('keeps any text', async () => {
      const store = (await create())()
      const tools = ["'; drop table toolsearch_history; --", 'a\0b', '\ud800', '"\n\\', '%s $1']
      for (const [id, tool] of tools.entries()) store.append(entry(id, { tool }))
      const found = await store.read(ALL)
      expect(found.map((each) => each.kind === 'call' && each.tool)).toEqual(tools)
    })

    it('deletes entries that are too old', async () => {
      const open = await create()
      let now = Date.UTC(2026, 0, 1, 12)
      const store = open({ bounds: () => ({ days: 2, megabytes: 50 }), now: () => now })
      for (const day of [0, 1, 2, 3, 4]) {
        now = Date.UTC(2026, 0, 1 + day, 12)
        store.append(entry(day, { at: now }))
        await store.flush()
      }
      expect(idsOf(await store.read({ since: now - 10 * DAY_MS, until: now + 1 }))).toEqual([
        2, 3, 4,
      ])
    })

    it('deletes the oldest entries if there are too many', async () => {
      const open = await create()
      const store = open({ bounds: () => ({ days: 30, megabytes: 0.05 }) })
      for (let id = 0; id < 60; id++) {
        for (let index = 0; index < 10; index++) store.append(entry(id * 10 + index))
        await store.flush()
      }
      const ids = idsOf(await store.read(ALL))
      expect(ids.length).toBeGreaterThan(50)
      // An entry has about 170 bytes.
      expect(ids.length).toBeLessThan(400)
      expect(ids.at(-1)).toBe(599)
    })
  })
}
