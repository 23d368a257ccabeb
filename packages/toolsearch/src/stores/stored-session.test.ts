import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory-store.ts'
import { SessionExistsError } from './session-exists-error.ts'
import { EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'
import { type LoadingMode, openStoredSession } from './stored-session.ts'

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

describe('openStoredSession', () => {
  it('opens an unknown session empty without writing to the store', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    expect(stored.id).toBe('a')
    expect(stored.record).toEqual(EMPTY_RECORD)
    await stored.update((record) => ({ record, result: undefined }))
    expect(await store.read('a')).toBeUndefined()
  })

  it('continues a stored session', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    expect((await openStoredSession(store, 'a', 'sticky')).record).toEqual(full)
  })

  it('loads tools in order and returns the new names', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    expect(await stored.load([y])).toEqual({ added: ['y'], updated: [] })
    expect(await stored.load([x, { ...y, fingerprint: '2' }])).toEqual({
      added: ['x'],
      updated: ['y'],
    })
    expect(namesIn(stored.record)).toEqual(['y', 'x'])
    expect(await store.read('a')).toEqual(stored.record)
  })

  it('does not write already loaded tools to the store', async () => {
    const store = testStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([])
    await stored.load([x])
    await stored.load([x])
    expect(store.writes).toBe(1)
  })

  it('loads nothing in mode "none"', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'none')
    expect(await stored.load([x])).toEqual({ added: [], updated: [] })
    expect(stored.record.loaded).toEqual([])
    expect(await store.read('a')).toBeUndefined()
  })

  it('reports a tool as new to only one of two objects that load it at once', async () => {
    const store = createMemoryStore()
    const [one, other] = [
      await openStoredSession(store, 'a', 'sticky'),
      await openStoredSession(store, 'a', 'sticky'),
    ]
    const results = await Promise.all([one.load([x]), other.load([x, y])])
    expect(results.map(({ added }) => added)).toEqual([['x'], ['y']])
    expect(namesIn(other.record)).toEqual(['x', 'y'])
  })

  it('keeps its record if a write to the store fails', async () => {
    const store = testStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([x])
    store.isBroken = true
    await expect(stored.load([y])).rejects.toThrow('disk full')
    await expect(stored.compacted()).rejects.toThrow('disk full')
    expect(stored.record).toEqual({ ...EMPTY_RECORD, loaded: [x] })
    store.isBroken = false
    expect((await stored.load([y])).added).toEqual(['y'])
  })

  it.each([
    ['sticky', { loaded: [x], sent: ['x', 'shell'] }],
    ['until-compaction', { loaded: [], sent: [] }],
    ['none', { loaded: [], sent: [] }],
  ] as const)('in mode %s keeps %j on compaction', async (mode, kept) => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const stored = await openStoredSession(store, 'a', mode satisfies LoadingMode)
    await stored.compacted()
    expect(stored.record).toEqual({ ...kept, active: true })
    expect(await store.read('a')).toEqual(stored.record)
  })

  it('forks without loaded tools, but with active deferral', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const fork = await (await openStoredSession(store, 'a', 'sticky')).fork('a/1')
    expect(fork.id).toBe('a/1')
    expect(fork.record).toEqual({ ...EMPTY_RECORD, active: true })
  })

  it('forks with the complete record if requested', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const fork = await (await openStoredSession(store, 'a', 'sticky')).fork('a/1', { loaded: true })
    expect(fork.record).toEqual(full)
  })

  it('is independent of its fork', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([x])
    const fork = await stored.fork('a/1', { loaded: true })
    await fork.load([y])
    await stored.load([z])
    expect(namesIn(stored.record)).toEqual(['x', 'z'])
    expect(namesIn(await store.read('a/1'))).toEqual(['x', 'y'])
  })

  it.each(['a', 'b'])('refuses to fork onto the existing session %s', async (id) => {
    const store = createMemoryStore()
    await store.update('b', () => full)
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([y])
    await expect(stored.fork(id)).rejects.toThrow(SessionExistsError)
    expect(await store.read('b')).toEqual(full)
    expect(namesIn(await store.read('a'))).toEqual(['y'])
  })

  it('replaces its record in memory and in the store', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([y])
    await stored.replace(full)
    expect(stored.record).toEqual(full)
    expect(await store.read('a')).toEqual(full)
  })

  it('keeps loaded tools if the store has dropped the session', async () => {
    const store = createMemoryStore()
    await store.update('a', () => full)
    const stored = await openStoredSession(store, 'a', 'sticky')
    await store.forget('a')
    expect(await stored.load([x, y])).toEqual({ added: ['y'], updated: [] })
    expect(stored.record).toEqual({ ...full, loaded: [x, y] })
    expect(await store.read('a')).toEqual(stored.record)
  })

  it('keeps both of two concurrent writes after the store has dropped the session', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([x])
    await store.forget('a')
    await Promise.all([stored.load([y]), stored.load([z])])
    expect(namesIn(stored.record)).toEqual(['x', 'y', 'z'])
    expect(namesIn(await store.read('a'))).toEqual(['x', 'y', 'z'])
  })

  it('sees changes of another object after a refresh', async () => {
    const store = createMemoryStore()
    const [one, other] = [
      await openStoredSession(store, 'a', 'sticky'),
      await openStoredSession(store, 'a', 'sticky'),
    ]
    await one.load([x])
    await other.refresh()
    expect(other.record).toEqual(one.record)
  })

  it('keeps its record on refresh if the store has dropped the session', async () => {
    const store = createMemoryStore()
    const stored = await openStoredSession(store, 'a', 'sticky')
    await stored.load([x])
    await store.forget('a')
    await stored.refresh()
    expect(stored.record.loaded).toEqual([x])
  })
})
