import { describe, expect, it } from 'vitest'
import { createSearchGuards } from './search-guards.ts'

describe('createSearchGuards: rate limit', () => {
  it('admits every search without a limit', () => {
    const guards = createSearchGuards()
    for (let i = 0; i < 10_000; i++) expect(guards.admit('a')).toBe(true)
  })

  it('treats a limit of 0 as no limit', () => {
    const guards = createSearchGuards({ rateLimit: { calls: 0, windowMs: 1_000 } })
    for (let i = 0; i < 100; i++) expect(guards.admit('a')).toBe(true)
  })

  it('limits the searches within a sliding window', () => {
    let now = 0
    const guards = createSearchGuards({ rateLimit: { calls: 2, windowMs: 100 }, now: () => now })
    expect(guards.admit('a')).toBe(true)
    now = 60
    expect(guards.admit('a')).toBe(true)
    now = 99
    expect(guards.admit('a')).toBe(false)
    now = 100
    expect(guards.admit('a')).toBe(true)
    expect(guards.admit('a')).toBe(false)
    now = 160
    expect(guards.admit('a')).toBe(true)
  })

  it('does not count rejected searches', () => {
    let now = 0
    const guards = createSearchGuards({ rateLimit: { calls: 1, windowMs: 100 }, now: () => now })
    guards.admit('a')
    for (now = 1; now < 100; now++) expect(guards.admit('a')).toBe(false)
    now = 100
    expect(guards.admit('a')).toBe(true)
  })

  it('counts each session separately', () => {
    const guards = createSearchGuards({ rateLimit: { calls: 1, windowMs: 100 }, now: () => 0 })
    expect(guards.admit('a')).toBe(true)
    expect(guards.admit('b')).toBe(true)
    expect(guards.admit('a')).toBe(false)
  })
})

describe('createSearchGuards: repeated searches', () => {
  it('counts consecutive repetitions of the same search', () => {
    const guards = createSearchGuards()
    expect(guards.repeats('a', 'git log')).toBe(0)
    expect(guards.repeats('a', 'git log')).toBe(1)
    expect(guards.repeats('a', 'git log')).toBe(2)
    expect(guards.repeats('a', 'git diff')).toBe(0)
    expect(guards.repeats('a', 'git log')).toBe(0)
    expect(guards.repeats('a', 'git log')).toBe(1)
  })

  it('counts each session separately', () => {
    const guards = createSearchGuards()
    guards.repeats('a', 'git log')
    expect(guards.repeats('b', 'git log')).toBe(0)
    expect(guards.repeats('a', 'git log')).toBe(1)
  })

  it('resets the count of a forgotten session only', () => {
    const guards = createSearchGuards()
    for (const id of ['a', 'b']) guards.repeats(id, 'git log')
    guards.forget('a')
    guards.forget('unknown')
    expect(guards.repeats('a', 'git log')).toBe(0)
    expect(guards.repeats('a', 'git log')).toBe(1)
    expect(guards.repeats('b', 'git log')).toBe(1)
  })

  it('still limits the rate of a forgotten session', () => {
    const guards = createSearchGuards({ rateLimit: { calls: 1, windowMs: 100 }, now: () => 0 })
    guards.admit('a')
    guards.forget('a')
    expect(guards.admit('a')).toBe(false)
  })
})

describe('createSearchGuards: session limit', () => {
  it('drops the session tracked longest when there are too many', () => {
    const guards = createSearchGuards({ maxSessions: 2 })
    for (const id of ['a', 'b', 'c']) guards.repeats(id, 'git log')
    expect(guards.repeats('c', 'git log')).toBe(1)
    expect(guards.repeats('b', 'git log')).toBe(1)
    expect(guards.repeats('a', 'git log')).toBe(0)
  })

  it('tracks 4,096 sessions by default', () => {
    const guards = createSearchGuards()
    for (let i = 0; i <= 4_096; i++) guards.repeats(`session ${i}`, 'git log')
    expect(guards.repeats('session 4096', 'git log')).toBe(1)
    expect(guards.repeats('session 1', 'git log')).toBe(1)
    expect(guards.repeats('session 0', 'git log')).toBe(0)
  })
})
