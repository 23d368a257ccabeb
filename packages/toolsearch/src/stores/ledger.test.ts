import { describe, expect, it } from 'vitest'
import { type LoadingMode, openLedger } from './ledger.ts'
import { createMemoryStore } from './memory-store.ts'
import { SessionExistsError } from './session-exists-error.ts'
import { EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

const x = { name: 'x', fingerprint: '1' }
const y = { name: 'y', fingerprint: '1' }
const z = { name: 'z', fingerprint: '1' }
const full: SessionRecord = {
  loaded: [x],
  active: true,
  sent: ['x', 'shell'],
  seen: 'automatic',
  announcement: 'digest of a text',
  announced: 'digest of names',
}
const namesIn = (record: SessionRecord | undefined) => record?.loaded.map(({ name }) => name)

/** A memory store that counts its writes and fails while `isBroken`. */
function testStore(): SessionStore & { writes: number; isBroken: boolean } {
  const memory = createMemoryStore()
  const store = {
    ...memory,
    writes: 0,
    isBroken: false,
    async update(id: string, change: Parameters<SessionStore['update']>[1]) {
      if (store.isBroken) throw new Error('disk full')
      return memory.update(id, (before) => {
        const after = change(before)
        if (after !== before) store.writes++
        return after
      })
    },
  }
  return store
}

describe('openLedger', () => {
  it('opens an unknown session empty without writing to the store', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    expect(ledger.id).toBe('a')
    expect(ledger.record).toEqual(EMPTY_RECORD)
    await ledger.update((record) => ({ record, result: undefined }))
    expect(await store.read('a')).toBeUndefined()
  })

  it('continues a stored session', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    expect((await openLedger(store, 'a', 'sticky')).record).toEqual(full)
  })

  it('loads tools in order and returns the new names', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    expect(await ledger.load([y])).toEqual({ added: ['y'], updated: [] })
    expect(await ledger.load([x, { ...y, fingerprint: '2' }])).toEqual({
      added: ['x'],
      updated: ['y'],
    })
    expect(namesIn(ledger.record)).toEqual(['y', 'x'])
    expect(await store.read('a')).toEqual(ledger.record)
  })

  it('does not write already loaded tools to the store', async () => {
    const store = testStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([])
    await ledger.load([x])
    await ledger.load([x])
    expect(store.writes).toBe(1)
  })

  it('loads nothing in mode "none"', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'none')
    expect(await ledger.load([x])).toEqual({ added: [], updated: [] })
    expect(ledger.record.loaded).toEqual([])
    expect(await store.read('a')).toBeUndefined()
  })

  it('reports a tool as new to only one of two ledgers that load it at once', async () => {
    const store = createMemoryStore()
    const [one, other] = [
      await openLedger(store, 'a', 'sticky'),
      await openLedger(store, 'a', 'sticky'),
    ]
    const results = await Promise.all([one.load([x]), other.load([x, y])])
    expect(results.map(({ added }) => added)).toEqual([['x'], ['y']])
    expect(namesIn(other.record)).toEqual(['x', 'y'])
  })

  it('keeps its record if a write to the store fails', async () => {
    const store = testStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([x])
    store.isBroken = true
    await expect(ledger.load([y])).rejects.toThrow('disk full')
    await expect(ledger.compacted()).rejects.toThrow('disk full')
    expect(ledger.record).toEqual({ ...EMPTY_RECORD, loaded: [x] })
    store.isBroken = false
    expect((await ledger.load([y])).added).toEqual(['y'])
  })

  it.each([
    ['sticky', { loaded: [x], sent: ['x', 'shell'] }],
    ['until-compaction', { loaded: [], sent: [] }],
    ['none', { loaded: [], sent: [] }],
  ] as const)('in mode %s keeps %j on compaction', async (mode, kept) => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const ledger = await openLedger(store, 'a', mode satisfies LoadingMode)
    await ledger.compacted()
    expect(ledger.record).toEqual({ ...kept, active: true })
    expect(await store.read('a')).toEqual(ledger.record)
  })

  it('forks without loaded tools, but with active deferral', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const fork = await (await openLedger(store, 'a', 'sticky')).fork('a/1')
    expect(fork.id).toBe('a/1')
    expect(fork.record).toEqual({ ...EMPTY_RECORD, active: true })
  })

  it('forks with the complete record if requested', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const fork = await (await openLedger(store, 'a', 'sticky')).fork('a/1', { loaded: true })
    expect(fork.record).toEqual(full)
  })

  it('is independent of its fork', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([x])
    const fork = await ledger.fork('a/1', { loaded: true })
    await fork.load([y])
    await ledger.load([z])
    expect(namesIn(ledger.record)).toEqual(['x', 'z'])
    expect(namesIn(await store.read('a/1'))).toEqual(['x', 'y'])
  })

  it.each(['a', 'b'])('refuses to fork onto the existing session %s', async (id) => {
    const store = createMemoryStore()
    await store.update('b', () => full)
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([y])
    await expect(ledger.fork(id)).rejects.toThrow(SessionExistsError)
    expect(await store.read('b')).toEqual(full)
    expect(namesIn(await store.read('a'))).toEqual(['y'])
  })

  it('replaces its record in memory and in the store', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([y])
    await ledger.replace(full)
    expect(ledger.record).toEqual(full)
    expect(await store.read('a')).toEqual(full)
  })

  it('keeps loaded tools if the store has dropped the session', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const ledger = await openLedger(store, 'a', 'sticky')
    await store.forget('a')
    expect(await ledger.load([x, y])).toEqual({ added: ['y'], updated: [] })
    expect(ledger.record).toEqual({ ...full, loaded: [x, y] })
    expect(await store.read('a')).toEqual(ledger.record)
  })

  it('keeps both of two concurrent writes after the store has dropped the session', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([x])
    await store.forget('a')
    await Promise.all([ledger.load([y]), ledger.load([z])])
    expect(namesIn(ledger.record)).toEqual(['x', 'y', 'z'])
    expect(namesIn(await store.read('a'))).toEqual(['x', 'y', 'z'])
  })

  it('sees changes of another ledger after a refresh', async () => {
    const store = createMemoryStore()
    const [one, other] = [
      await openLedger(store, 'a', 'sticky'),
      await openLedger(store, 'a', 'sticky'),
    ]
    await one.load([x])
    await other.refresh()
    expect(other.record).toEqual(one.record)
  })

  it('keeps its record on refresh if the store has dropped the session', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([x])
    await store.forget('a')
    await ledger.refresh()
    expect(ledger.record.loaded).toEqual([x])
  })
})
