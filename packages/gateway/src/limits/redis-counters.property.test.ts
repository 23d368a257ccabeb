import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { createRedisState } from '../state/redis-state.ts'
import type { SharedState } from '../state/shared-state.ts'
import { createRedisCounters } from './redis-counters.ts'

let redis: TestRedis
const states: SharedState[] = []
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

async function open() {
  const state = await createRedisState({ url: redis.url, prefix: 'test:' })
  states.push(state)
  return createRedisCounters(state.runScript!)
}

describe('createRedisCounters', () => {
  it('let replicas use a budget completely, and never more, however they share it', async () => {
    await checkProperty(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 30 }), fc.boolean()), {
          minLength: 1,
          maxLength: 25,
        }),
        async (max, bursts) => {
          const replicas = await Promise.all([open(), open(), open()])
          const key = randomUUID()
          let counted = 0
          const take = async (at: number, undoes = false) => {
            const call = await replicas[at]!.take(key, { max, periodSeconds: 60 })
            if (call.isTaken && undoes) call.undo()
            else if (call.isTaken) counted += 1
            return call.isTaken
          }
          for (const [at, size, undoes] of bursts) {
            await Promise.all(Array.from({ length: size }, (_, n) => take(at, undoes && n === 0)))
          }
          expect(counted).toBeLessThanOrEqual(max)
          // All at once, so that they compete for what is left, while each may still have a lease.
          await Promise.all(
            replicas.map(async (_, at) => {
              while (await take(at));
            }),
          )
          expect(counted).toBe(max)
          for (const replica of replicas) replica.close()
          await Promise.all(states.splice(0).map((state) => state.close()))
        },
      ),
      { cases: 10, deepCases: 200 },
    )
  })
})
