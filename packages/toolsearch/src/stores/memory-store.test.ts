import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory-store.ts'
import { describeSessionStore } from './session-store.cases.ts'

describe('createMemoryStore', () => {
  describeSessionStore(() => createMemoryStore())

  it('forgets the session left alone the longest when there is one too many', async () => {
    const store = createMemoryStore({ maxSessions: 2 })
    await store.append('a', { active: true })
    await store.append('b', { active: true })
    await store.append('c', { active: true })
    expect(await store.read('a')).toBeUndefined()
    expect((await store.read('b'))?.active).toBe(true)
    expect((await store.read('c'))?.active).toBe(true)
  })

  it.each(['read', 'append', 'write'] as const)('takes a %s for use', async (step) => {
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

  it('keeps 4,096 sessions unless told otherwise', async () => {
    const store = createMemoryStore()
    for (let i = 0; i <= 4_096; i++) await store.append(`session ${i}`, { active: true })
    expect(await store.read('session 0')).toBeUndefined()
    expect(await store.read('session 1')).toBeDefined()
    expect(await store.read('session 4096')).toBeDefined()
  })

  it('makes room for a session that is written, not only for one that is appended to', async () => {
    const store = createMemoryStore({ maxSessions: 1 })
    await store.append('a', { active: true })
    await store.write('b', { loaded: [], active: false, sent: [], announced: [] })
    expect(await store.read('a')).toBeUndefined()
  })

  it('forgets a session left idle, and not a moment before', async () => {
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

  it('starts a session left idle from nothing', async () => {
    let now = 0
    const store = createMemoryStore({ idleMs: 100, now: () => now })
    await store.append('a', { sent: ['x'] })
    now = 101
    expect((await store.append('a', { sent: ['y'] })).sent).toEqual(['y'])
  })

  it('keeps an idle session for ever unless told otherwise', async () => {
    let now = 0
    const store = createMemoryStore({ now: () => now })
    await store.append('a', { active: true })
    now = 1e15
    expect(await store.read('a')).toBeDefined()
  })

  it('shares nothing with another store', async () => {
    const [one, other] = [createMemoryStore(), createMemoryStore()]
    await one.append('a', { active: true })
    expect(await other.read('a')).toBeUndefined()
  })
})
