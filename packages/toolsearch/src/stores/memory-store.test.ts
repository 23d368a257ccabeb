import { describe, expect, it } from 'vitest'
import { addSent } from './add-sent.fixtures.ts'
import { createMemoryStore } from './memory-store.ts'
import { describeSessionStore } from './session-store.cases.ts'

describe('createMemoryStore', () => {
  describeSessionStore(() => createMemoryStore())

  it('drops the least recently used session when there are too many', async () => {
    const store = createMemoryStore({ maxSessions: 2 })
    await addSent(store, 'a', 'x')
    await addSent(store, 'b', 'x')
    await addSent(store, 'c', 'x')
    expect(await store.read('a')).toBeUndefined()
    expect((await store.read('b'))?.sent).toEqual(['x'])
    expect((await store.read('c'))?.sent).toEqual(['x'])
  })

  it.each(['read', 'change', 'no change'] as const)('counts a %s as use', async (step) => {
    const store = createMemoryStore({ maxSessions: 2 })
    await addSent(store, 'a', 'x')
    await addSent(store, 'b', 'x')
    if (step === 'read') await store.read('a')
    if (step === 'change') await addSent(store, 'a', 'y')
    if (step === 'no change') await store.update('a', (record) => record)
    await addSent(store, 'c', 'x')
    expect(await store.read('a')).toBeDefined()
    expect(await store.read('b')).toBeUndefined()
  })

  it('keeps 4,096 sessions by default', async () => {
    const store = createMemoryStore()
    for (let i = 0; i <= 4_096; i++) await addSent(store, `session ${i}`, 'x')
    expect(await store.read('session 0')).toBeUndefined()
    expect(await store.read('session 1')).toBeDefined()
    expect(await store.read('session 4096')).toBeDefined()
  })

  it('drops a session only after its idle time', async () => {
    let now = 0
    const store = createMemoryStore({ idleMs: 100, now: () => now })
    await addSent(store, 'a', 'x')
    await addSent(store, 'b', 'x')
    now = 100
    expect(await store.read('a')).toBeDefined()
    now = 101
    expect(await store.read('b')).toBeUndefined()
    expect(await store.read('a')).toBeDefined()
  })

  it('starts an expired session empty', async () => {
    let now = 0
    const store = createMemoryStore({ idleMs: 100, now: () => now })
    await addSent(store, 'a', 'x')
    now = 101
    expect((await addSent(store, 'a', 'y'))?.sent).toEqual(['y'])
  })

  it('keeps idle sessions forever by default', async () => {
    let now = 0
    const store = createMemoryStore({ now: () => now })
    await addSent(store, 'a', 'x')
    now = 1e15
    expect(await store.read('a')).toBeDefined()
  })

  it('shares no data with another store', async () => {
    const [one, other] = [createMemoryStore(), createMemoryStore()]
    await addSent(one, 'a', 'x')
    expect(await other.read('a')).toBeUndefined()
  })
})
