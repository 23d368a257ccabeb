import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { LimitCounters } from './limit-counters.ts'

/** The contract of counters. Each implementation's own test file starts by calling this. */
export function describeLimitCounters(create: () => Promise<LimitCounters>): void {
  describe('limit counters contract', () => {
    it('add up, each key on its own', async () => {
      const counters = await create()
      const [a, b] = [randomUUID(), randomUUID()]
      expect((await counters.add(a, 1, 60)).total).toBe(1)
      expect((await counters.add(a, 2_000_000_000, 60)).total).toBe(2_000_000_001)
      expect((await counters.add(b, 1, 60)).total).toBe(1)
      counters.close()
    })

    it('can be read and taken back', async () => {
      const counters = await create()
      const key = randomUUID()
      expect((await counters.add(key, 0, 60)).total).toBe(0)
      await counters.add(key, 5, 60)
      expect((await counters.add(key, -2, 60)).total).toBe(3)
      expect((await counters.add(key, 0, 60)).total).toBe(3)
      counters.close()
    })

    it('report when they are reset, counted from the first use', async () => {
      const counters = await create()
      const key = randomUUID()
      const first = await counters.add(key, 1, 86_400)
      expect(first.resetMs).toBeGreaterThan(86_000_000)
      expect(first.resetMs).toBeLessThanOrEqual(86_400_000)
      const second = await counters.add(key, 1, 86_400)
      expect(second.resetMs).toBeLessThanOrEqual(first.resetMs)
      counters.close()
    })

    it('are reset after the period', async () => {
      const counters = await create()
      const key = randomUUID()
      await counters.add(key, 5, 1)
      await expect.poll(async () => (await counters.add(key, 0, 1)).total).toBe(0)
      counters.close()
    })

    it('count calls that arrive at the same time', async () => {
      const counters = await create()
      const key = randomUUID()
      const totals = await Promise.all(Array.from({ length: 100 }, () => counters.add(key, 1, 60)))
      expect(new Set(totals.map(({ total }) => total)).size).toBe(100)
      counters.close()
    })

    it('give out as many places as there are', async () => {
      const counters = await create()
      const key = randomUUID()
      const places = await Promise.all(Array.from({ length: 10 }, () => counters.enter(key, 3)))
      const taken = places.filter((place) => place !== undefined)
      expect(taken).toHaveLength(3)
      expect(await counters.enter(randomUUID(), 3)).toBeDefined()
      await taken[0]!.leave()
      await taken[0]!.leave()
      expect(await counters.enter(key, 3)).toBeDefined()
      expect(await counters.enter(key, 3)).toBeUndefined()
      counters.close()
    })
  })
}
