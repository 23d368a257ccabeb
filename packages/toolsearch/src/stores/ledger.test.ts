import { describe, expect, it } from 'vitest'
import { type LoadingMode, openLedger } from './ledger.ts'
import { createMemoryStore } from './memory-store.ts'
import type { SessionAddition } from './session-record.ts'

describe('openLedger', () => {
  it('opens an unknown session empty without writing to the store', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    expect(ledger.id).toBe('a')
    expect(ledger.record).toEqual({ loaded: [], active: false, sent: [], announced: [] })
    expect(await store.read('a')).toBeUndefined()
  })

  it('continues a stored session', async () => {
    const store = createMemoryStore()
    const record = await store.append('a', { active: true, sent: ['x'], announcement: 'list' })
    const ledger = await openLedger(store, 'a', 'sticky')
    expect(ledger.record).toEqual(record)
  })

  it('loads tools in order and returns the new names', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    const x = { name: 'x', fingerprint: '1' }
    const y = { name: 'y', fingerprint: '1' }
    expect(await ledger.load([y])).toEqual(['y'])
    expect(await ledger.load([x, y])).toEqual(['x'])
    expect(ledger.record.loaded).toEqual([y, x])
    expect(await store.read('a')).toEqual(ledger.record)
  })

  it('returns a repeated name once', async () => {
    const ledger = await openLedger(createMemoryStore(), 'a', 'sticky')
    const x = { name: 'x', fingerprint: '1' }
    expect(await ledger.load([x, x])).toEqual(['x'])
    expect(ledger.record.loaded).toEqual([x])
  })

  it('updates the fingerprint of a loaded tool without reporting it as new', async () => {
    const ledger = await openLedger(createMemoryStore(), 'a', 'sticky')
    await ledger.load([
      { name: 'x', fingerprint: '1' },
      { name: 'y', fingerprint: '1' },
    ])
    expect(await ledger.load([{ name: 'x', fingerprint: '2' }])).toEqual([])
    expect(ledger.record.loaded).toEqual([
      { name: 'x', fingerprint: '2' },
      { name: 'y', fingerprint: '1' },
    ])
  })

  it('does not write already loaded tools to the store', async () => {
    const appended: SessionAddition[] = []
    const memory = createMemoryStore()
    const store = {
      ...memory,
      append: (id: string, addition: SessionAddition) => {
        appended.push(addition)
        return memory.append(id, addition)
      },
    }
    const ledger = await openLedger(store, 'a', 'sticky')
    const x = { name: 'x', fingerprint: '1' }
    await ledger.load([])
    await ledger.load([x])
    await ledger.load([x])
    expect(appended).toEqual([{ loaded: [x] }])
  })

  it('loads nothing in mode "none"', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'none')
    expect(await ledger.load([{ name: 'x', fingerprint: '1' }])).toEqual([])
    expect(ledger.record.loaded).toEqual([])
    expect(await store.read('a')).toBeUndefined()
  })

  it('sees additions of another ledger after its own write', async () => {
    const store = createMemoryStore()
    const one = await openLedger(store, 'a', 'sticky')
    const other = await openLedger(store, 'a', 'sticky')
    await one.load([{ name: 'x', fingerprint: '1' }])
    await other.load([{ name: 'y', fingerprint: '1' }])
    expect(other.record.loaded.map(({ name }) => name)).toEqual(['x', 'y'])
  })

  it('keeps its record if a write to the store fails', async () => {
    const memory = createMemoryStore()
    let broken = false
    const store = {
      ...memory,
      append: async (id: string, addition: SessionAddition) => {
        if (broken) throw new Error('disk full')
        return memory.append(id, addition)
      },
    }
    const ledger = await openLedger(store, 'a', 'sticky')
    const x = { name: 'x', fingerprint: '1' }
    await ledger.load([x])
    broken = true
    await expect(ledger.load([{ name: 'y', fingerprint: '1' }])).rejects.toThrow('disk full')
    await expect(ledger.add({ active: true })).rejects.toThrow('disk full')
    expect(ledger.record).toEqual({ loaded: [x], active: false, sent: [], announced: [] })
    broken = false
    expect(await ledger.load([{ name: 'y', fingerprint: '1' }])).toEqual(['y'])
  })

  it.each([
    ['sticky', ['x'], ['x', 'shell']],
    ['until-compaction', [], []],
    ['none', [], []],
  ] as const)(
    'in mode %s keeps %j loaded and %j sent on compaction',
    async (mode, loaded, sent) => {
      const store = createMemoryStore()
      const ledger = await openLedger(store, 'a', mode satisfies LoadingMode)
      await ledger.add({
        loaded: [{ name: 'x', fingerprint: '1' }],
        active: true,
        sent: ['x', 'shell'],
        announcement: 'list',
        announced: ['x', 'y'],
      })
      await ledger.compacted()
      expect(ledger.record).toEqual({
        loaded: loaded.map((name) => ({ name, fingerprint: '1' })),
        active: true,
        sent,
        announced: [],
      })
      expect(await store.read('a')).toEqual(ledger.record)
    },
  )

  it('forks without loaded tools, but with active deferral', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.add({ active: true, announcement: 'list', announced: ['y'], sent: ['x'] })
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    const fork = await ledger.fork('a/1')
    expect(fork.id).toBe('a/1')
    expect(fork.record).toEqual({ loaded: [], active: true, sent: [], announced: [] })
  })

  it('forks with the complete record if requested', async () => {
    const ledger = await openLedger(createMemoryStore(), 'a', 'sticky')
    await ledger.add({ active: true, announcement: 'list', announced: ['y'], sent: ['x'] })
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    const fork = await ledger.fork('a/1', { loaded: true })
    expect(fork.record).toEqual(ledger.record)
  })

  it('is independent of its fork', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    const fork = await ledger.fork('a/1', { loaded: true })
    await fork.load([{ name: 'in fork', fingerprint: '1' }])
    await ledger.load([{ name: 'in parent', fingerprint: '1' }])
    expect(ledger.record.loaded.map(({ name }) => name)).toEqual(['x', 'in parent'])
    expect(fork.record.loaded.map(({ name }) => name)).toEqual(['x', 'in fork'])
    expect((await store.read('a/1'))?.loaded.map(({ name }) => name)).toEqual(['x', 'in fork'])
  })

  it('replaces its record in memory and in the store', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    const next = { loaded: [], active: true, sent: ['y'], announced: [] }
    await ledger.replace(next)
    expect(ledger.record).toEqual(next)
    expect(await store.read('a')).toEqual(next)
  })

  it('keeps loaded tools if the store has dropped the session', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.add({ active: true, sent: ['x'], announcement: 'list' })
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    await store.forget('a')
    await ledger.load([{ name: 'y', fingerprint: '1' }])
    expect(ledger.record).toMatchObject({ active: true, sent: ['x'], announcement: 'list' })
    expect(ledger.record.loaded.map(({ name }) => name)).toEqual(['x', 'y'])
  })

  it('keeps both of two concurrent writes after the store has dropped the session', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    await store.forget('a')
    await Promise.all([
      ledger.load([{ name: 'y', fingerprint: '1' }]),
      ledger.load([{ name: 'z', fingerprint: '1' }]),
    ])
    const names = ['x', 'y', 'z']
    expect(ledger.record.loaded.map(({ name }) => name).toSorted()).toEqual(names)
    const kept = (await store.read('a'))?.loaded.map(({ name }) => name)
    expect(kept?.toSorted()).toEqual(names)
  })

  it('sees additions of another ledger after a refresh', async () => {
    const store = createMemoryStore()
    const [one, other] = [
      await openLedger(store, 'a', 'sticky'),
      await openLedger(store, 'a', 'sticky'),
    ]
    await one.load([{ name: 'x', fingerprint: '1' }])
    await other.refresh()
    expect(other.record).toEqual(one.record)
  })

  it('keeps its record on refresh if the store has dropped the session', async () => {
    const store = createMemoryStore()
    const ledger = await openLedger(store, 'a', 'sticky')
    await ledger.load([{ name: 'x', fingerprint: '1' }])
    await store.forget('a')
    await ledger.refresh()
    expect(ledger.record.loaded).toEqual([{ name: 'x', fingerprint: '1' }])
  })
})
