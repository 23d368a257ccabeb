import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { createRedisState } from './redis-state.ts'
import { createReplicaCalls, type ReplicaCalls } from './replica-calls.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

async function openReplicas(silenceMs = 10_000): Promise<readonly [ReplicaCalls, ReplicaCalls]> {
  const prefix = `test:${randomUUID()}:`
  const open = async () => {
    const state = await createRedisState({ url: redis.url, prefix, timeoutMs: 1_000 })
    const replica = await createReplicaCalls(state, { group: 'test', silenceMs })
    onTestFinished(async () => {
      await replica.close()
      await state.close()
    })
    return replica
  }
  return [await open(), await open()]
}

describe('calls between replicas', () => {
  it('return the answer after all events, whatever their size', async () => {
    const [one, other] = await openReplicas()
    other.handle('echo', async (payload, { emit }) => {
      for (let i = 0; i < 10; i++) emit({ i, text: 'x'.repeat(i % 2 === 0 ? 10 : 300_000) })
      return payload
    })
    const events: unknown[] = []
    const payload = { text: 'ä'.repeat(1_000_000) }
    const answer = await one.call(other.id, 'echo', payload, {
      onEvent: ({ i }) => events.push(i),
    })
    expect(answer.text === payload.text).toBe(true)
    expect(events).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('reject with the error of the handler', async () => {
    const [one, other] = await openReplicas()
    other.handle('fail', () => Promise.reject(new Error('no')))
    await expect(one.call(other.id, 'fail', {})).rejects.toThrow('no')
    await expect(one.call(other.id, 'unknown', {})).rejects.toThrow('no handler')
  })

  it('take longer than a silent replica may', async () => {
    const [one, other] = await openReplicas(1_000)
    other.handle('slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      return { done: true }
    })
    expect(await one.call(other.id, 'slow', {})).toEqual({ done: true })
  })

  it('reject if the replica does not exist', async () => {
    const [one] = await openReplicas(300)
    const gone = `test-${randomUUID()}`
    expect(one.isReplica(gone)).toBe(true)
    expect(one.isReplica(`other-${randomUUID()}`)).toBe(false)
    await expect(one.call(gone, 'echo', {})).rejects.toMatchObject({ code: 'replica_gone' })
  })

  it('reject if the replica stops meanwhile', async () => {
    const [one, other] = await openReplicas(500)
    const started = vi.fn()
    other.handle('never', () => new Promise(started))
    const call = one.call(other.id, 'never', {})
    call.catch(() => {})
    await expect.poll(() => started.mock.calls.length).toBe(1)
    await other.close()
    await expect(call).rejects.toMatchObject({ code: 'replica_gone' })
  })

  it('are cancelled together', async () => {
    const [one, other] = await openReplicas()
    let aborted: AbortSignal | undefined
    other.handle('wait', (_, { signal }) => {
      aborted = signal
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ cancelled: true })),
      )
    })
    const controller = new AbortController()
    const call = one.call(other.id, 'wait', {}, { signal: controller.signal })
    await expect.poll(() => aborted).toBeDefined()
    controller.abort()
    expect(await call).toEqual({ cancelled: true })
  })
})
