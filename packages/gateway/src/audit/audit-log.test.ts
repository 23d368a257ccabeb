import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from './audit-entry.ts'
import { createAuditLog, type NewAuditEntry } from './audit-log.ts'
import type { AuditStore } from './audit-store.ts'

const entry: NewAuditEntry = { kind: 'admin', person: 'ada', action: 'key.create', outcome: 'ok' }

/** A store that can be made to hang or fail. */
function memoryStore() {
  const stored: AuditEntry[] = []
  const batches: number[] = []
  const state = { isBroken: false, pruned: 0, hold: Promise.resolve() as Promise<unknown> }
  const store: AuditStore = {
    async append(entries) {
      await state.hold
      if (state.isBroken) throw new Error('the disk is full')
      batches.push(entries.length)
      stored.push(...entries)
    },
    query: async () => ({ entries: stored }),
    async *export() {
      yield* stored
    },
    async prune(before) {
      state.pruned = before
    },
    close: async () => {},
  }
  return { store, stored, batches, state }
}

describe('createAuditLog', () => {
  it('gives entries unique ids that sort like their times', async () => {
    const { store, stored } = memoryStore()
    const log = createAuditLog(store, { days: () => 1 })
    log.record({ ...entry, at: Date.parse('2026-01-02') })
    log.record({ ...entry, at: Date.parse('2026-01-01') })
    log.record({ ...entry, at: Date.parse('2026-01-01') })
    await log.close()
    const ids = stored.map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(ids.toSorted()).toEqual([ids[1], ids[2], ids[0]])
  })

  it('reads everything that was recorded, also if it is not stored yet', async () => {
    const { store } = memoryStore()
    const log = createAuditLog(store, { days: () => 1 })
    log.record(entry)
    expect((await log.reader.query({}, { limit: 10 })).entries).toHaveLength(1)
    log.record(entry)
    const exported: AuditEntry[] = []
    for await (const each of log.reader.export({})) exported.push(each)
    expect(exported).toHaveLength(2)
    await log.close()
  })

  it('stores entries together that arrive together', async () => {
    const { store, batches, state } = memoryStore()
    const log = createAuditLog(store, { days: () => 1 })
    let release = () => {}
    state.hold = new Promise<void>((resolve) => {
      release = resolve
    })
    const stored = [1, 2, 3, 4, 5].map(() => log.storeNow(entry))
    await setTimeout(1)
    stored.push(log.storeNow(entry), log.storeNow(entry))
    release()
    await Promise.all(stored)
    expect(batches).toEqual([5, 2])
    await log.close()
  })

  it('writes what waits within a quarter of a second', async () => {
    const { store, stored } = memoryStore()
    const log = createAuditLog(store, { days: () => 1 })
    log.record(entry)
    await expect.poll(() => stored.length).toBe(1)
    await log.close()
  })

  it('loses nothing if many entries come in a short time', async () => {
    const { store, stored } = memoryStore()
    const log = createAuditLog(store, { days: () => 1, batchMs: 60_000 })
    for (let burst = 0; burst < 30; burst++) {
      for (let count = 0; count < 1_000; count++) log.record(entry)
      await setTimeout(5)
    }
    expect(log.counts).toMatchObject({ lost: 0 })
    await expect.poll(() => stored.length).toBe(30_000)
    await log.close()
  })

  it('counts entries that are lost while the store is gone, and says so', async () => {
    const { store, stored, state } = memoryStore()
    state.isBroken = true
    const problems: string[] = []
    const log = createAuditLog(store, {
      days: () => 1,
      retryMs: 60_000,
      onProblem: (message, severity) => problems.push(`${severity}: ${message}`),
    })
    for (let count = 0; count < 20_005; count++) log.record(entry)
    expect(await log.flush()).toBe(false)
    state.isBroken = false
    expect(await log.flush()).toBe(true)
    expect(log.counts).toEqual({ waiting: 0, lost: 5, failures: 1 })
    expect(problems).toEqual([
      'error: 20,000 audit entries wait to be stored. Further ones are lost until the audit log can be written again.',
      'error: The audit log cannot be written: the disk is full',
      'error: The audit log can be written again. 5 entries were lost.',
    ])
    expect(stored).toHaveLength(20_001)
    expect(stored.at(-1)).toMatchObject({ action: 'audit.lost', detail: { lost: 5 } })
    await log.close()
  })

  it('does not store the start of a request that ends before the next batch', async () => {
    const { store, stored } = memoryStore()
    const log = createAuditLog(store, { days: () => 1, replica: 'gateway-1' })
    const quick = log.start(() => expect.unreachable())
    log.record(entry, quick)
    const slow = log.start(() => ({ ...entry, outcome: 'unknown' }))
    expect(log.counts.waiting).toBe(2)
    await log.flush()
    log.record(entry, slow)
    await log.close()
    expect(quick.id).toBeUndefined()
    expect(stored.map(({ id, outcome, replica }) => [id, outcome, replica])).toEqual([
      [slow.id, 'unknown', 'gateway-1'],
      [expect.any(String), 'ok', 'gateway-1'],
      [`${slow.id}-end`, 'ok', 'gateway-1'],
    ])
  })

  it('stores a start under the same id if the store has failed before', async () => {
    const { store, stored, state } = memoryStore()
    state.isBroken = true
    const log = createAuditLog(store, { days: () => 1, retryMs: 60_000 })
    const start = log.start(() => ({ ...entry, outcome: 'unknown' }))
    await log.flush()
    const { id } = start
    expect(id).toBeDefined()
    state.isBroken = false
    await log.flush()
    expect(start.id).toBe(id)
    expect(stored).toMatchObject([{ id, outcome: 'unknown' }])
    await log.close()
  })

  it('does not keep starts of requests that end while the store is gone', async () => {
    const { store, stored, state } = memoryStore()
    state.isBroken = true
    const log = createAuditLog(store, { days: () => 1, retryMs: 60_000 })
    const before = log.start(() => ({ ...entry, outcome: 'unknown' }))
    let release = () => {}
    state.hold = new Promise<void>((resolve) => {
      release = resolve
    })
    const flushed = log.flush()
    await expect.poll(() => before.id).toBeDefined()
    // Ends while its start is being stored, which then fails.
    log.record(entry, before)
    release()
    await flushed
    const after = log.start(() => ({ ...entry, outcome: 'unknown' }))
    await log.flush()
    log.record(entry, after)
    await log.flush()
    expect(log.counts).toEqual({ waiting: 2, lost: 0, failures: 3 })
    state.isBroken = false
    await log.close()
    expect(stored.map(({ id }) => id)).toEqual([`${before.id}-end`, `${after.id}-end`])
  })

  it('does not fill the memory with starts while the store is gone', async () => {
    const { store, state } = memoryStore()
    state.isBroken = true
    const log = createAuditLog(store, { days: () => 1, retryMs: 60_000 })
    const starts = Array.from({ length: 20_001 }, () => log.start(() => entry))
    expect(log.counts).toMatchObject({ waiting: 20_000, lost: 0 })
    log.record(entry, starts[0])
    log.record(entry, starts.at(-1))
    expect(log.counts).toMatchObject({ waiting: 20_000, lost: 1 })
    state.isBroken = false
    await log.close()
  })

  it('deletes old entries', async () => {
    const { store, state } = memoryStore()
    const log = createAuditLog(store, { days: () => 2, now: () => 10 * 86_400_000 })
    expect(state.pruned).toBe(8 * 86_400_000)
    await log.close()
  })

  it('does not wait long for a store that hangs', async () => {
    const { store, state } = memoryStore()
    state.hold = new Promise(() => {})
    const log = createAuditLog(store, { days: () => 1, closeMs: 5 })
    log.record(entry)
    await log.close()
  })
})
