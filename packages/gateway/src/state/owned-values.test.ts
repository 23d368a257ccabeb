import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { createMemoryState } from './memory-state.ts'
import { createOwnedValues } from './owned-values.ts'
import { createRedisState } from './redis-state.ts'
import type { SharedState } from './shared-state.ts'

let redis: TestRedis
let shared: SharedState
beforeAll(async () => {
  redis = await startRedis()
  shared = await createRedisState({ url: redis.url, prefix: 'owned:', timeoutMs: 10_000 })
})
afterAll(async () => {
  await shared.close()
  await redis.close()
})

const LONG = 600_000

describe.each([
  ['memory', () => createMemoryState()],
  ['Redis', () => shared],
])('createOwnedValues, in %s', (_, stateOf) => {
  /** Values of up to 100 characters in total. */
  function create() {
    const state = stateOf()
    const kind = randomUUID()
    const values = createOwnedValues(state, { kind, capacity: 100 })
    const put = (owner: string, key: string, length = 8) =>
      values.set(key, 'x'.repeat(length), { owner, ttlMs: LONG })
    /** Which of these keys the state has. */
    async function stored(keys: readonly string[]): Promise<string[]> {
      const found = await Promise.all(keys.map((key) => state.get(`${kind}:${key}`)))
      return keys.filter((_, at) => found[at] !== undefined)
    }
    return { values, put, stored }
  }

  it('drops the oldest values of the person who has the most', async () => {
    const { put, stored } = create()
    const keys = Array.from({ length: 20 }, (_, at) => `e${at + 10}`)
    await put('ann', 'a1')
    for (const key of keys) await put('eve', key)
    await expect.poll(() => stored(['a1', ...keys])).toEqual(['a1', ...keys.slice(-8)])
  })

  it('keeps a value for longer, and can delete it', async () => {
    const { values, put, stored } = create()
    await put('eve', 'kept')
    await put('eve', 'deleted')
    expect(await values.delete('deleted')).toBe(true)
    expect(await values.delete('deleted')).toBe(false)
    for (let at = 10; at < 30; at++) {
      await put('eve', `more ${at}`, 3)
      expect(await values.touch('kept', LONG)).toBe(true)
    }
    expect(await values.get('kept')).toBe('xxxxxxxx')
    expect(await stored(['kept', 'deleted', 'more 10'])).toEqual(['kept'])
  })

  it('keeps one that is too large on its own, until another one is written', async () => {
    const { put, stored } = create()
    await put('ann', 'a1')
    await put('eve', 'large', 200)
    expect(await stored(['a1', 'large'])).toEqual(['a1', 'large'])
    await put('ann', 'a2')
    await expect.poll(() => stored(['a1', 'a2', 'large'])).toEqual(['a1', 'a2'])
  })
})

it('does not count what has expired', async () => {
  let now = 0
  const state = createMemoryState({ now: () => now })
  const values = createOwnedValues(state, { kind: 'x', capacity: 1_000, now: () => now })
  const put = (owner: string, key: string, ttlMs: number) =>
    values.set(key, 'x'.repeat(100), { owner, ttlMs })
  for (let at = 0; at < 5; at++) await put(`lasting ${at}`, `${at}`, LONG)
  await put('gone', 'a', 10)
  await put('gone', 'b', 10)
  now = 20
  for (const key of ['c', 'd', 'e', 'f']) await put('ann', key, LONG)
  const kept = await Promise.all(['0', '4', 'c', 'd', 'e', 'f'].map(values.get))
  expect(kept).not.toContain(undefined)
})
