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

    it('can be read', async () => {
      const counters = await create()
      const key = randomUUID()
      expect((await counters.add(key, 0, 60)).total).toBe(0)
      await counters.add(key, 5, 60)
      expect((await counters.add(key, 0, 60)).total).toBe(5)
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

    it.each([1, 3, 500])('let %i calls of a period pass, and no more', async (max) => {
      const counters = await create()
      const key = randomUUID()
      const budget = { max, periodSeconds: 60 }
      let taken = 0
      for (let call = 0; call < 2 * max; call += 10) {
        const calls = Array.from({ length: Math.min(10, 2 * max - call) }, () =>
          counters.take(key, budget),
        )
        taken += (await Promise.all(calls)).filter(({ isTaken }) => isTaken).length
      }
      expect(taken).toBe(max)
      const refused = await counters.take(key, budget)
      expect(refused).toMatchObject({ isTaken: false, resetMs: expect.any(Number) })
      expect(await counters.take(randomUUID(), budget)).toMatchObject({ isTaken: true })
      counters.close()
    })

    it('give a call back', async () => {
      const counters = await create()
      const key = randomUUID()
      const take = async () => counters.take(key, { max: 40, periodSeconds: 60 })
      const calls = await Promise.all(Array.from({ length: 40 }, take))
      expect(await take()).toMatchObject({ isTaken: false })
      for (const call of calls.slice(0, 3)) if (call.isTaken) call.undo()
      const again = await Promise.all(Array.from({ length: 5 }, take))
      expect(again.map(({ isTaken }) => isTaken)).toEqual([true, true, true, false, false])
      counters.close()
    })

    it('start a new period with the whole budget', async () => {
      const counters = await create()
      const key = randomUUID()
      const take = async () => (await counters.take(key, { max: 100, periodSeconds: 1 })).isTaken
      for (let call = 0; call < 30; call++) await take()
      while (await take());
      await expect.poll(take).toBe(true)
      const more = await Promise.all(Array.from({ length: 120 }, take))
      expect(more.filter((isTaken) => isTaken).length).toBeLessThanOrEqual(100)
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
