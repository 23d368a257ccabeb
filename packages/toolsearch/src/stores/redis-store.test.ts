import { randomUUID } from 'node:crypto'
import { createClient, type RedisClientType } from '@redis/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { addSent } from './add-sent.fixtures.ts'
import type { RedisStoreClient } from './redis-client.ts'
import { type RedisStoreOptions, redisStore } from './redis-store.ts'
import { describeSessionStore } from './session-store.cases.ts'
import type { SessionStore } from './session-store.ts'
import { itSharesSessions } from './shared-session.cases.ts'

let redis: TestRedis
let client: RedisClientType
beforeAll(async () => {
  redis = await startRedis()
  client = await redis.client()
})
afterAll(async () => {
  client.destroy()
  await redis.close()
})

const newPrefix = () => `test:${randomUUID()}:`

function newStore(options: Partial<RedisStoreOptions> = {}): SessionStore {
  return redisStore({ client, keyPrefix: newPrefix(), ...options })
}

describe('redisStore', () => {
  describeSessionStore(() => newStore())

  it('shares sessions with other stores of the same prefix, and with no others', async () => {
    const keyPrefix = newPrefix()
    const record = await addSent(newStore({ keyPrefix }), 'a', 'read_file')
    expect(await newStore({ keyPrefix }).read('a')).toEqual(record)
    expect(await newStore().read('a')).toBeUndefined()
  })

  it('distinguishes ids that differ only in a lone surrogate', async () => {
    const store = newStore()
    await addSent(store, '\ud800', 'one')
    await addSent(store, '\udbff', 'other')
    expect((await store.read('\ud800'))?.sent).toEqual(['one'])
  })

  it('does not write if nothing changes', async () => {
    const keyPrefix = newPrefix()
    const store = newStore({ keyPrefix })
    await store.update('a', (record) => record)
    expect(await client.keys(`${keyPrefix}*`)).toEqual([])
  })

  it('starts a session empty whose record cannot be read, and says so', async () => {
    const keyPrefix = newPrefix()
    const onWarning = vi.fn()
    const store = newStore({ keyPrefix, onWarning })
    await client.set(`${keyPrefix}session:id:a`, '{"version":')
    expect(await store.read('a')).toBeUndefined()
    expect(onWarning.mock.calls[0]![0]).toContain('session "a"')
    expect((await addSent(store, 'a', 'x'))?.sent).toEqual(['x'])
    expect((await store.read('a'))?.sent).toEqual(['x'])
  })

  it('accepts clients with the interface of ioredis', async () => {
    const likeIoredis = {
      call: (command: string, ...args: string[]) => client.sendCommand([command, ...args]),
      sendCommand: () => Promise.reject(new Error('takes a Command')),
    }
    const store = newStore({ client: likeIoredis })
    await addSent(store, 'a', 'x')
    expect((await store.read('a'))?.sent).toEqual(['x'])
  })

  it('says what is wrong with its options', () => {
    const wrong = { url: 'redis://localhost' } as unknown as RedisStoreClient
    expect(() => redisStore({ client: wrong })).toThrow('pass a client of redis')
    expect(() => newStore({ maxSessions: 0 })).toThrow('maxSessions is 0')
  })

  it('rejects only while Redis cannot be reached', async () => {
    const own = await startRedis()
    const ownClient = createClient({ url: own.url, disableOfflineQueue: true })
    ownClient.on('error', () => {})
    await ownClient.connect()
    const store = newStore({ client: ownClient })
    await own.stop()
    await expect(addSent(store, 'a', 'x')).rejects.toThrow()
    await own.start()
    await expect
      .poll(() =>
        addSent(store, 'a', 'y').then(
          (record) => record?.sent,
          () => 0,
        ),
      )
      .toEqual(['y'])
    ownClient.destroy()
    await own.close()
  })
})

describe('redisStore: size and idle limits', () => {
  it('deletes a session that was idle for too long', async () => {
    const keyPrefix = newPrefix()
    const store = newStore({ keyPrefix, idleMs: 50 })
    await addSent(store, 'a', 'x')
    // not through the store, because reading a session is using it
    await expect.poll(() => client.exists(`${keyPrefix}session:id:a`)).toBe(0)
    expect(await store.read('a')).toBeUndefined()
  })

  it('counts a read as use, by the time of each key', async () => {
    const keyPrefix = newPrefix()
    const store = newStore({ keyPrefix, idleMs: 600_000 })
    await addSent(store, 'a', 'x')
    const key = `${keyPrefix}session:id:a`
    await client.pExpire(key, 1_000)
    await store.read('a')
    expect(await client.pTTL(key)).toBeGreaterThan(500_000)
    await client.pExpire(key, 1_000)
    await store.update('a', (record) => record)
    expect(await client.pTTL(key)).toBeGreaterThan(500_000)
  })

  it('keeps sessions for 30 days by default, or forever', async () => {
    const keyPrefix = newPrefix()
    await addSent(newStore({ keyPrefix }), 'a', 'x')
    expect(await client.pTTL(`${keyPrefix}session:id:a`)).toBeGreaterThan(29 * 24 * 3_600_000)
    await addSent(newStore({ keyPrefix, idleMs: Number.POSITIVE_INFINITY }), 'b', 'x')
    expect(await client.pTTL(`${keyPrefix}session:id:b`)).toBe(-1)
  })

  it('never exceeds its limit, deletes the least recently used and never the newest', async () => {
    const keyPrefix = newPrefix()
    const store = newStore({ keyPrefix, maxSessions: 20 })
    const sessions = () => client.keys(`${keyPrefix}session:*`)
    for (let i = 0; i < 50; i++) {
      await addSent(store, `session ${i}`, 'x')
      await store.read('session 0')
      // so that the times of use differ, which Redis keeps in milliseconds
      await new Promise((resolve) => setTimeout(resolve, 2))
      expect((await sessions()).length).toBeLessThanOrEqual(20)
      expect(await store.read(`session ${i}`)).toBeDefined()
    }
    expect(await store.read('session 0')).toBeDefined()
    expect(await store.read('session 1')).toBeUndefined()
    expect((await sessions()).length).toBeGreaterThanOrEqual(18)
    expect(await client.zCard(`${keyPrefix}sessions`)).toBe((await sessions()).length)
  })

  it('never exceeds its limit with concurrent new sessions', async () => {
    const keyPrefix = newPrefix()
    const store = newStore({ keyPrefix, maxSessions: 10 })
    await Promise.all(Array.from({ length: 40 }, (_, index) => addSent(store, `${index}`, 'x')))
    expect((await client.keys(`${keyPrefix}session:*`)).length).toBeLessThanOrEqual(10)
  })
})

describe('redisStore in several processes', () => {
  itSharesSessions(
    () => {
      const keyPrefix = newPrefix()
      return { store: newStore({ keyPrefix }), env: { URL: redis.url, PREFIX: keyPrefix } }
    },
    `
      const { createClient } = await import('@redis/client')
      const { redisStore } = await import(SOURCE + '/stores/redis-store.ts')
      const client = await createClient({ url: process.env.URL }).connect()
      const store = redisStore({ client, keyPrefix: process.env.PREFIX })
      const close = () => client.destroy()
    `,
  )
})
