import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { childProgram, modulePath } from '../system/child-program.fixtures.ts'
import { openSharedState } from './open-shared-state.ts'
import { createRedisState, type RedisStateOptions } from './redis-state.ts'
import { describeSharedState } from './shared-state.cases.ts'
import type { SharedState } from './shared-state.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

const newPrefix = () => `test:${randomUUID()}:`

async function openState(options: Partial<RedisStateOptions> = {}): Promise<SharedState> {
  const state = await createRedisState({ url: redis.url, prefix: newPrefix(), ...options })
  onTestFinished(() => state.close())
  return state
}

describe('createRedisState', () => {
  describeSharedState(async () => {
    const options = { url: redis.url, prefix: newPrefix() }
    return [await createRedisState(options), await createRedisState(options)]
  })

  it('is shared with other processes, and keeps prefixes apart', async () => {
    const [state, elsewhere] = [await openState(), await openState()]
    expect(state.isShared).toBe(true)
    await state.set('a', 'x', 60_000)
    const listener = vi.fn()
    await elsewhere.subscribe('a', listener)
    await state.publish('a', 'x')
    await elsewhere.publish('a', 'own')
    await expect.poll(() => listener.mock.calls.flat()).toEqual(['own'])
    expect(await elsewhere.get('a')).toBeUndefined()
  })
})

describe('createRedisState while Redis is gone', () => {
  it('rejects quickly, works again afterwards, and reports the gap', async () => {
    const statuses: (string | undefined)[] = []
    const state = await openState({
      timeoutMs: 500,
      onStatus: ({ problem }) => statuses.push(problem),
    })
    const [onMessage, onGap] = [vi.fn(), vi.fn()]
    await state.subscribe('news', onMessage, onGap)
    await redis.stop()
    const started = performance.now()
    await expect(state.get('a')).rejects.toMatchObject({ code: 'state_unavailable' })
    await expect(state.set('a', 'x', 1_000)).rejects.toMatchObject({ code: 'state_unavailable' })
    await expect(state.update('a', () => 'x', 1_000)).rejects.toThrow('cannot be reached')
    await expect(state.withLock('a', async () => {})).rejects.toThrow('cannot be reached')
    await expect(state.publish('a', 'x')).rejects.toMatchObject({ code: 'state_unavailable' })
    expect(await state.isAvailable()).toBe(false)
    expect(performance.now() - started).toBeLessThan(10_000)
    const [lateMessage, lateGap] = [vi.fn(), vi.fn()]
    await state.subscribe('late', lateMessage, lateGap)
    expect(onGap).not.toHaveBeenCalled()

    await redis.start()
    await expect.poll(() => state.isAvailable()).toBe(true)
    await expect.poll(() => onGap.mock.calls.length).toBe(1)
    await expect.poll(() => lateGap.mock.calls.length).toBe(1)
    await state.publish('news', 'back')
    await state.publish('late', 'too')
    await expect.poll(() => onMessage.mock.calls.flat()).toEqual(['back'])
    await expect.poll(() => lateMessage.mock.calls.flat()).toEqual(['too'])
    expect(await state.update('a', (value) => `${value}`, 1_000)).toBe('undefined')
    expect(statuses[0]).toBeUndefined()
    expect(statuses.at(-1)).toBeUndefined()
    expect(statuses.some((problem) => problem !== undefined)).toBe(true)
  })

  it('bridges a short interruption', async () => {
    const state = await openState({ timeoutMs: 20_000 })
    await redis.stop()
    const answer = state.set('a', 'x', 60_000).then(() => state.get('a'))
    await redis.start()
    expect(await answer).toBe('x')
  })

  it('rejects all commands that a frozen server does not answer, and works again afterwards', async () => {
    const state = await openState({ timeoutMs: 500 })
    const [onMessage, onGap] = [vi.fn(), vi.fn()]
    await state.subscribe('news', onMessage, onGap)
    redis.pause()
    onTestFinished(() => redis.resume())
    const started = performance.now()
    const failed = await Promise.allSettled([
      state.get('a'),
      state.update('a', () => 'x', 1_000),
      ...Array.from({ length: 50 }, () => state.update('b', () => 'x', 1_000)),
    ])
    expect(failed.filter(({ status }) => status === 'rejected')).toHaveLength(52)
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(await state.isAvailable()).toBe(false)
    await expect.poll(() => state.get('a').catch((error) => error.code)).toBe('state_unavailable')
    redis.resume()
    await expect.poll(() => state.isAvailable()).toBe(true)
    await expect.poll(() => onGap.mock.calls.length).toBeGreaterThan(0)
    await state.publish('news', 'back')
    await expect.poll(() => onMessage.mock.calls.flat()).toContain('back')
  })

  it('rejects what a full server does not store', async () => {
    const full = await startRedis()
    onTestFinished(() => full.close())
    const client = await full.client()
    await client.configSet('maxmemory', '1')
    client.destroy()
    const state = await openState({ url: full.url })
    await expect(state.set('a', 'x', 1_000)).rejects.toMatchObject({ code: 'state_unavailable' })
    expect(await state.get('a')).toBeUndefined()
  })
})

describe('openSharedState', () => {
  it('keeps state in memory without Redis', async () => {
    const state = await openSharedState({ redisPrefix: 'x:' })
    expect(state.isShared).toBe(false)
  })

  it('resolves although Redis cannot be reached, warns once without the password, and connects later', async () => {
    const own = await startRedis()
    onTestFinished(() => own.close())
    await own.stop()
    const onWarning = vi.fn()
    const url = own.url.replace('//', '//:secret@')
    const state = await openSharedState({ redis: url, redisPrefix: newPrefix() }, { onWarning })
    onTestFinished(() => state.close())
    expect(await state.isAvailable()).toBe(false)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(onWarning.mock.calls[0]![0]).toContain('ECONNREFUSED')
    expect(onWarning.mock.calls[0]![0]).not.toContain('secret')
    await expect(state.get('a')).rejects.toMatchObject({ code: 'state_unavailable' })
  })

  it('reports once that Redis is gone, and once that it is back', async () => {
    const own = await startRedis()
    onTestFinished(() => own.close())
    const onWarning = vi.fn()
    const state = await openSharedState({ redis: own.url, redisPrefix: newPrefix() }, { onWarning })
    onTestFinished(() => state.close())
    expect(await state.isAvailable()).toBe(true)
    await own.stop()
    await expect.poll(() => onWarning.mock.calls.length).toBe(1)
    await own.start()
    await expect.poll(() => state.isAvailable()).toBe(true)
    expect(onWarning.mock.calls.at(-1)).toEqual(['Redis can be reached again.', 'info'])
    expect(onWarning).toHaveBeenCalledTimes(2)
  })

  it('is not available if the address does not speak the protocol', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const state = await openState({ url: `redis://127.0.0.1:${port}`, timeoutMs: 200 })
    expect(await state.isAvailable()).toBe(false)
  })
})

describe('locks in Redis', () => {
  it('keeps a lock for as long as the task takes', async () => {
    const prefix = newPrefix()
    const one = await openState({ prefix, leaseMs: 1_500 })
    const other = await openState({ prefix, leaseMs: 1_500 })
    let isDone = false
    const [signal] = await Promise.all([
      one.withLock('a', async (lock) => {
        // Longer than the lease, which can be measured in no other way.
        await new Promise((resolve) => setTimeout(resolve, 3_000))
        isDone = true
        return lock.signal
      }),
      other.withLock('a', async () => expect(isDone).toBe(true)),
    ])
    expect(signal.aborted).toBe(false)
  })

  it('aborts the task if the lock was taken away', async () => {
    const state = await openState({ leaseMs: 300 })
    await state.withLock('a', async ({ signal }) => {
      await redis.stop()
      await redis.start()
      await expect.poll(() => signal.aborted).toBe(true)
    })
    expect(await state.withLock('a', async () => 'free')).toBe('free')
  })

  it('aborts the task when its lease ends while Redis is gone', async () => {
    const state = await openState({ leaseMs: 300, timeoutMs: 200 })
    await state.withLock('a', async ({ signal }) => {
      await redis.stop()
      await expect.poll(() => signal.aborted).toBe(true)
    })
    await redis.start()
  })

  it('passes on the lock of a frozen process, which notices and has a lower fence', async () => {
    const prefix = newPrefix()
    const state = await openState({ prefix, leaseMs: 1_000 })
    const child = spawn(process.execPath, childProgram(HOLD_LOCK), {
      env: { ...process.env, URL: redis.url, PREFIX: prefix },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const held = JSON.parse((await lines.next()).value as string)
    child.kill('SIGSTOP')
    const fence = await state.withLock('a', async (lock) => lock.fence)
    expect(fence).toBeGreaterThan(held.fence)
    child.kill('SIGCONT')
    expect(JSON.parse((await lines.next()).value as string)).toEqual({ lost: true })
  })

  it('increases fences even if Redis has lost its data', async () => {
    const state = await openState()
    const before = await state.withLock('a', async ({ fence }) => fence)
    await redis.stop()
    await redis.start()
    await expect.poll(() => state.isAvailable()).toBe(true)
    expect(await state.withLock('a', async ({ fence }) => fence)).toBeGreaterThan(before)
  })
})

const HOLD_LOCK = `
  const { createRedisState } = await import(${JSON.stringify(modulePath('state/redis-state'))})
  const { URL: url, PREFIX: prefix } = process.env
  const state = await createRedisState({ url, prefix, leaseMs: 1_000 })
  await state.withLock('a', async ({ fence, signal }) => {
    console.log(JSON.stringify({ fence }))
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    console.log(JSON.stringify({ lost: true }))
  })
  await state.close()
`
