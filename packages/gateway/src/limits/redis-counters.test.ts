import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { LOCAL_CALLER } from '../identity/caller.ts'
import { createRedisState } from '../state/redis-state.ts'
import type { SharedState } from '../state/shared-state.ts'
import { describeLimitCounters } from './limit-counters.cases.ts'
import { limitsGate } from './limits-gate.ts'
import { createRedisCounters, type RedisCountersOptions } from './redis-counters.ts'

let redis: TestRedis
const states: SharedState[] = []
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())
afterEach(async () => {
  await Promise.all(states.splice(0).map((state) => state.close()))
})

async function open(options: RedisCountersOptions & { timeoutMs?: number } = {}) {
  const { timeoutMs = 3_000, ...rest } = options
  const state = await createRedisState({ url: redis.url, prefix: 'test:', timeoutMs })
  states.push(state)
  return createRedisCounters(state.runScript!, rest)
}

describe('createRedisCounters', () => {
  describeLimitCounters(() => open())

  it('are the same for all replicas', async () => {
    const [a, b] = [await open(), await open()]
    const key = randomUUID()
    await a.add(key, 1, 60)
    expect((await b.add(key, 1, 60)).total).toBe(2)
    const once = { max: 1, periodSeconds: 60 }
    const calls = randomUUID()
    expect(await a.take(calls, once)).toMatchObject({ isTaken: true })
    expect(await b.take(calls, once)).toMatchObject({ isTaken: false })
    const other = randomUUID()
    const place = await a.enter(other, 1)
    expect(await b.enter(other, 1)).toBeUndefined()
    await place!.leave()
    expect(await b.enter(other, 1)).toBeDefined()
    a.close()
    b.close()
  })

  it('free the places of a replica that died, but not those of others', async () => {
    const [dead, alive, other] = [await open({ leaseMs: 500 }), await open(), await open()]
    const [deadKey, aliveKey] = [randomUUID(), randomUUID()]
    expect(await dead.enter(deadKey, 1)).toBeDefined()
    expect(await alive.enter(aliveKey, 1)).toBeDefined()
    // A process that dies renews nothing.
    dead.close()
    await expect.poll(async () => other.enter(deadKey, 1)).toBeDefined()
    expect(await other.enter(aliveKey, 1)).toBeUndefined()
    alive.close()
    other.close()
  })

  it('keep the place of a call that takes longer than a lease', async () => {
    const [slow, other] = [await open({ leaseMs: 2_000 }), await open()]
    const key = randomUUID()
    const place = await slow.enter(key, 1)
    await setTimeout(2_500)
    expect(await other.enter(key, 1)).toBeUndefined()
    await place!.leave()
    expect(await other.enter(key, 1)).toBeDefined()
    slow.close()
    other.close()
  })

  it('ask Redis for few of many calls', async () => {
    const state = await createRedisState({ url: redis.url, prefix: 'test:' })
    states.push(state)
    let asked = 0
    const counters = createRedisCounters(
      (...script) => {
        asked += 1
        return state.runScript!(...script)
      },
      { keepMs: 60_000 },
    )
    const key = randomUUID()
    for (let call = 0; call < 1_000; call++) {
      await counters.take(key, { max: 100_000, periodSeconds: 3_600 })
      const place = await counters.enter(`${key}:places`, 100)
      await place!.leave()
    }
    expect(asked).toBeLessThan(50)
    counters.close()
  })

  it('never give out more places than there are, and none is left unused', async () => {
    const replicas = await Promise.all([open(), open(), open()])
    const key = randomUUID()
    const max = 12
    let [running, most] = [0, 0]
    const call = async (at: number) => {
      const place = await replicas[at]!.enter(key, max)
      if (!place) return false
      running += 1
      most = Math.max(most, running)
      await setTimeout(Math.random() * 5)
      running -= 1
      await place.leave()
      return true
    }
    const caller = async (at: number) => {
      for (let count = 0; count < 30; count++) await call(at % 3)
    }
    await Promise.all(Array.from({ length: 24 }, (_, at) => caller(at)))
    expect(most).toBeLessThanOrEqual(max)
    // One replica gets all places, although the others may still keep some.
    const all = Array.from({ length: max }, async () => replicas[0]!.enter(key, max))
    expect((await Promise.all(all)).every((place) => place !== undefined)).toBe(true)
    expect(await replicas[1]!.enter(key, max)).toBeUndefined()
    for (const replica of replicas) replica.close()
  })

  it('lose no calls that were taken and not executed, whichever replica comes next', async () => {
    const [a, b] = [await open({ keepMs: 60_000 }), await open()]
    const key = randomUUID()
    const budget = { max: 20, periodSeconds: 60 }
    const burst = Array.from({ length: 20 }, async () => a.take(key, budget))
    const [executed, ...others] = await Promise.all(burst)
    expect(executed!.isTaken).toBe(true)
    for (const call of others) if (call.isTaken) call.undo()
    // answered after what the same replica has given back
    await a.add(randomUUID(), 0, 60)
    const next = await Promise.all(Array.from({ length: 20 }, async () => b.take(key, budget)))
    expect(next.filter(({ isTaken }) => isTaken)).toHaveLength(19)
    a.close()
    b.close()
  })

  it('name the limit of running calls when a burst exceeds it, not the one that it did not use up', async () => {
    const counters = await open()
    const rules = [{ each: 'person', calls: 20, concurrent: 1, per: 'day' }] as const
    const gate = limitsGate(counters, { rules: () => rules })
    const request = { caller: LOCAL_CALLER, method: 'tools/call', params: {}, at: 0 }
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const ask = () =>
      gate(request, async () => {
        await held
        return { result: {}, outcome: { outcome: 'ok', resultBytes: 0 } }
      }).then(
        () => 'ok',
        (error) => error.reason,
      )
    const refused: unknown[] = []
    const burst = Array.from({ length: 40 }, async () => refused.push(await ask()))
    await expect.poll(() => refused.length).toBe(39)
    expect(new Set(refused)).toEqual(new Set(['toolsearch.rateLimits[0].concurrent']))
    release()
    await Promise.all(burst)
    expect(await ask()).toBe('ok')
    counters.close()
  })

  it('refuse requests while Redis is gone, and work again when it is back', async () => {
    const counters = await open({ timeoutMs: 200 })
    const gate = limitsGate(counters, {
      rules: () => [{ each: 'person', calls: 1_000, concurrent: 10, per: 'minute' }],
    })
    const request = { caller: LOCAL_CALLER, method: 'tools/call', params: {}, at: 0 }
    let executed = 0
    const ask = () =>
      gate(request, async () => {
        executed += 1
        return { result: {}, outcome: { outcome: 'ok', resultBytes: 0 } }
      }).then(
        () => 'ok',
        (error) => error.message,
      )
    expect(await ask()).toBe('ok')
    await redis.stop()
    expect(await ask()).toContain('cannot check its rate limits')
    expect(executed).toBe(1)
    await redis.start()
    await expect.poll(ask).toBe('ok')
    redis.pause()
    // What the replica has reserved is used first.
    await expect.poll(ask).toContain('cannot check its rate limits')
    redis.resume()
    await expect.poll(ask).toBe('ok')
    counters.close()
  })
})
