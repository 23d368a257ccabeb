import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startRedis, type TestRedis } from '../../../../../testing/services/start-redis.ts'
import { type Caller, callerInfo, LOCAL_CALLER } from '../../identity/caller.ts'
import { createRedisState } from '../../state/redis-state.ts'
import { createReplicaCalls } from '../../state/replica-calls.ts'
import { createLegacySessions, type LegacySessions } from './legacy-sessions.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

const ada: Caller = { person: { ...LOCAL_CALLER.person, id: 'issuer ada' } }
const eve: Caller = { person: { ...LOCAL_CALLER.person, id: 'issuer eve' } }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
}
let messages = 1

interface Replica {
  readonly sessions: LegacySessions
  readonly created: () => number
  /** Runs before the replica creates a server for a session. */
  beforeCreate: () => Promise<unknown>
}

async function startReplicas(idleMs = 3_600_000): Promise<readonly [Replica, Replica]> {
  const prefix = `test:${randomUUID()}:`
  const start = async () => {
    const state = await createRedisState({ url: redis.url, prefix, timeoutMs: 2_000 })
    const replicas = await createReplicaCalls(state, { group: 'test' })
    let created = 0
    const factory = async () => {
      created += 1
      await replica.beforeCreate()
      return new Server({ name: 'x', version: '1' }, { capabilities: {} })
    }
    const sessions = createLegacySessions(factory, {
      maxBody: 100_000,
      idleMs,
      shared: { state, replicas, cancelCall: () => false },
    })
    onTestFinished(async () => {
      await sessions.close()
      await replicas.close()
      await state.close()
    })
    const replica: Replica = { sessions, created: () => created, beforeCreate: async () => {} }
    return replica
  }
  return [await start(), await start()]
}

function requestOf(method = 'POST', session?: string): Request {
  return new Request('http://127.0.0.1/mcp', {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
  })
}

async function open({ sessions }: Replica, caller: Caller): Promise<string> {
  const given = { parsedBody: INITIALIZE, authInfo: callerInfo(caller) }
  const response = await sessions.open(requestOf(), given)
  await response.text()
  return response.headers.get('mcp-session-id')!
}

async function ping({ sessions }: Replica, id: string, caller: Caller): Promise<[number, string]> {
  const message = { jsonrpc: '2.0', id: ++messages, method: 'ping' }
  const given = { parsedBody: message, authInfo: callerInfo(caller) }
  const response = await sessions.resume(id, requestOf('POST', id), given)
  return [response.status, response.ok ? '' : await response.text()]
}

async function remove({ sessions }: Replica, id: string, caller: Caller): Promise<void> {
  const given = { authInfo: callerInfo(caller) }
  expect((await sessions.resume(id, requestOf('DELETE', id), given)).status).toBe(200)
}

describe('sessions that replicas share', () => {
  it('belong to the person who opened them, through the same profile, on every replica', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    const unknown = await ping(other, randomUUID(), ada)
    expect(unknown[0]).toBe(404)
    for (const replica of [one, other]) {
      expect((await ping(replica, id, ada))[0]).toBe(200)
      expect(await ping(replica, id, eve)).toEqual(unknown)
      expect(await ping(replica, id, { ...ada, profile: 'p' })).toEqual(unknown)
      expect(replica.sessions.find(id, ada)).toBeDefined()
      expect(replica.sessions.find(id, eve)).toBeUndefined()
    }
    const given = { authInfo: callerInfo(eve) }
    const deleted = await other.sessions.resume(id, requestOf('DELETE', id), given)
    expect(deleted.status).toBe(404)
    expect((await ping(one, id, ada))[0]).toBe(200)
  })

  it('are not opened for another profile by a request that comes at the same time', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    const both = [ada, { ...ada, profile: 'p' }].map((caller) => ping(other, id, caller))
    expect((await Promise.all(both)).map(([status]) => status)).toEqual([200, 404])
  })

  it('are opened once on another replica, however many requests come at the same time', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    const requests = Array.from({ length: 10 }, () => ping(other, id, ada))
    for (const [status] of await Promise.all(requests)) expect(status).toBe(200)
    expect(other.created()).toBe(1)
  })

  it('end on all replicas when one deletes them', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    await ping(other, id, ada)
    await remove(other, id, ada)
    await expect.poll(async () => (await ping(one, id, ada))[0]).toBe(404)
    expect((await ping(other, id, ada))[0]).toBe(404)
  })

  it('are not opened by a replica that has read them just before they were deleted', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    other.beforeCreate = () => remove(one, id, ada)
    expect((await ping(other, id, ada))[0]).toBe(404)
    expect(other.created()).toBe(1)
    expect((await ping(other, id, ada))[0]).toBe(404)
    expect(other.sessions.find(id, ada)).toBeUndefined()
  })

  it('end when no replica has used them for too long', async () => {
    const [one, other] = await startReplicas(200)
    const id = await open(one, ada)
    // Not through the replica that has it open, because that would use it.
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await ping(other, id, ada))[0]).toBe(404)
  })

  it('send notifications to the replica that the client has its stream with', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    const given = { authInfo: callerInfo(ada) }
    const first = await one.sessions.resume(id, requestOf('GET', id), given)
    expect(first.status).toBe(200)
    const reader = first.body!.getReader()
    const second = await other.sessions.resume(id, requestOf('GET', id), given)
    expect(second.status).toBe(200)
    // The first one ends: the client has come back through another replica.
    for (;;) if ((await reader.read()).done) break
    await second.body!.cancel()
  })

  it('are not opened while the store cannot be reached', async () => {
    const [one, other] = await startReplicas()
    const id = await open(one, ada)
    await redis.stop()
    const given = { parsedBody: INITIALIZE, authInfo: callerInfo(ada) }
    expect((await one.sessions.open(requestOf(), given)).status).toBe(503)
    expect((await ping(other, id, ada))[0]).toBe(503)
    expect((await ping(one, id, ada))[0]).toBe(200)
    await redis.start()
  })
})
