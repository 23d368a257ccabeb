import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory-store.ts'
import { describeSessionStore } from './session-store.cases.ts'

describe('createMemoryStore', () => {
  describeSessionStore(() => createMemoryStore())

  it('drops the least recently used session when there are too many', async () => {
    const store = createMemoryStore({ maxSessions: 2 })
    await store.append('a', { active: true })
    await store.append('b', { active: true })
    await store.append('c', { active: true })
    expect(await store.read('a')).toBeUndefined()
    expect((await store.read('b'))?.active).toBe(true)
    expect((await store.read('c'))?.active).toBe(true)
  })

  it.each(['read', 'append', 'write'] as const)('counts a %s as use', async (step) => {
    const store = createMemoryStore({ maxSessions: 2 })
    const record = await store.append('a', { active: true })
    await store.append('b', { active: true })
    if (step === 'read') await store.read('a')
    if (step === 'append') await store.append('a', { sent: ['x'] })
    if (step === 'write') await store.write('a', record)
    await store.append('c', { active: true })
    expect(await store.read('a')).toBeDefined()
    expect(await store.read('b')).toBeUndefined()
  })

  it('keeps 4,096 sessions by default', async () => {
    const store = createMemoryStore()
    for (let i = 0; i <= 4_096; i++) await store.append(`session ${i}`, { active: true })
    expect(await store.read('session 0')).toBeUndefined()
    expect(await store.read('session 1')).toBeDefined()
    expect(await store.read('session 4096')).toBeDefined()
  })

  it('also applies its limit to written sessions', async () => {
    const store = createMemoryStore({ maxSessions: 1 })
    await store.append('a', { active: true })
    await store.write('b', { loaded: [], active: false, sent: [], announced: [] })
    expect(await store.read('a')).toBeUndefined()
  })

  it('drops a session only after its idle time', async () => {
    let now = 0
    const store = createMemoryStore({ idleMs: 100, now: () => now })
    await store.append('a', { active: true })
    await store.append('b', { active: true })
    now = 100
    expect(await store.read('a')).toBeDefined()
    now = 101
    expect(await store.read('b')).toBeUndefined()
    expect(await store.read('a')).toBeDefined()
  })

  it('starts an expired session empty', async () => {
    let now = 0
    const store = createMemoryStore({ idleMs: 100, now: () => now })
    await store.append('a', { sent: ['x'] })
    now = 101
    expect((await store.append('a', { sent: ['y'] })).sent).toEqual(['y'])
  })

  it('keeps idle sessions forever by default', async () => {
    let now = 0
    const store = createMemoryStore({ now: () => now })
    await store.append('a', { active: true })
    now = 1e15
    expect(await store.read('a')).toBeDefined()
  })

  it('shares no data with another store', async () => {
    const [one, other] = [createMemoryStore(), createMemoryStore()]
    await one.append('a', { active: true })
    expect(await other.read('a')).toBeUndefined()
  })
})
