import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startRedis, type TestRedis } from '../../../../../testing/services/start-redis.ts'
import { type Caller, callerInfo, LOCAL_CALLER } from '../../identity/caller.ts'
import { createMemoryState } from '../../state/memory-state.ts'
import { createRedisState } from '../../state/redis-state.ts'
import { createReplicaCalls } from '../../state/replica-calls.ts'
import { closeStreams } from '../close-streams.ts'
import { createLegacySessions, type LegacySessions } from './legacy-sessions.ts'
import { createStreamEvents } from './stream-events.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

const ada: Caller = { person: { ...LOCAL_CALLER.person, id: 'issuer ada' } }
const eve: Caller = { person: { ...LOCAL_CALLER.person, id: 'issuer eve' } }
const VERSION = '2025-11-25'

/** Replicas with a tool that ends when `finish` is called. */
async function startReplicas(count: number, streamSeconds?: number) {
  const prefix = `test:${randomUUID()}:`
  const calls: (() => void)[] = []
  const start = async (): Promise<LegacySessions> => {
    const state =
      count === 1
        ? createMemoryState()
        : await createRedisState({ url: redis.url, prefix, timeoutMs: 10_000 })
    const replicas = await createReplicaCalls(state, { group: 'test' })
    const factory = () => {
      const server = new Server({ name: 'x', version: '1' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/call', async (_, context) => {
        const stop = closeStreams(context, streamSeconds)
        await new Promise<void>((resolve) => calls.push(resolve))
        stop()
        return { content: [{ type: 'text', text: 'done' }] }
      })
      return server
    }
    const sessions = createLegacySessions(factory, {
      maxBody: 100_000,
      streams: createStreamEvents(state),
      shared: { state, replicas, cancelCall: () => false },
    })
    onTestFinished(async () => {
      await sessions.close()
      await replicas.close()
      await state.close()
    })
    return sessions
  }
  const replicas: LegacySessions[] = []
  for (let index = 0; index < count; index++) replicas.push(await start())
  return { replicas, calls }
}

function requestOf(headers: Record<string, string>, method = 'POST'): Request {
  const accept = 'application/json, text/event-stream'
  return new Request('http://127.0.0.1/mcp', {
    method,
    headers: { accept, 'content-type': 'application/json', ...headers },
  })
}

async function open(sessions: LegacySessions, caller: Caller): Promise<string> {
  const params = {
    protocolVersion: VERSION,
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const parsedBody = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  const given = { parsedBody, authInfo: callerInfo(caller) }
  const response = await sessions.open(requestOf({}), given)
  await response.text()
  return response.headers.get('mcp-session-id')!
}

const headersOf = (session: string) => ({
  'mcp-session-id': session,
  'mcp-protocol-version': VERSION,
})

/** Calls the tool, and reads the id of the first event. */
async function call(sessions: LegacySessions, session: string) {
  const parsedBody = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait' } }
  const given = { parsedBody, authInfo: callerInfo(ada) }
  const response = await sessions.resume(session, requestOf(headersOf(session)), given)
  const reader = response.body!.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  return { reader, first, id: /^id: (.+)$/m.exec(first)![1]! }
}

function resume(sessions: LegacySessions, session: string, event: string, caller = ada) {
  const headers = { ...headersOf(session), 'last-event-id': event }
  return sessions.resume(session, requestOf(headers, 'GET'), { authInfo: callerInfo(caller) })
}

describe('response streams', () => {
  it('begin with an event from which the client can continue, and when to try', async () => {
    const { replicas, calls } = await startReplicas(1)
    const session = await open(replicas[0]!, ada)
    const { first, id, reader } = await call(replicas[0]!, session)
    expect(first).toBe(`id: ${id}\nretry: 1000\ndata: \n\n`)
    await reader.cancel()
    const resumed = await resume(replicas[0]!, session, id)
    calls[0]!()
    expect(await resumed.text()).toContain('"text":"done"')
    // once more, because the client may have lost that one as well
    expect(await (await resume(replicas[0]!, session, id)).text()).toContain('"text":"done"')
    expect(calls).toHaveLength(1)
  })

  it('continue on another replica', async () => {
    const { replicas, calls } = await startReplicas(2)
    const [one, other] = replicas as [LegacySessions, LegacySessions]
    const session = await open(one, ada)
    const { id, reader } = await call(one, session)
    await reader.cancel()
    expect(await (await resume(other, session, id)).text()).toBe(
      `id: ${id}\nretry: 1000\ndata: \n\n`,
    )
    calls[0]!()
    await expect
      .poll(async () => (await resume(other, session, id)).text())
      .toContain('"text":"done"')
    expect(calls).toHaveLength(1)
  })

  it('belong to the person and the session, and ids cannot be guessed', async () => {
    const { replicas, calls } = await startReplicas(1)
    const [sessions] = replicas as [LegacySessions]
    const session = await open(sessions, ada)
    const { id } = await call(sessions, session)
    calls[0]!()
    expect((await resume(sessions, session, id, eve)).status).toBe(404)
    const own = await open(sessions, eve)
    expect((await resume(sessions, own, id, eve)).status).toBe(400)
    const unknown = [`${randomUUID()}.0`, id.replace(/\.0$/, '.7'), '_GET_stream.0', '../x']
    for (const guess of unknown) {
      expect((await resume(sessions, session, guess)).status).toBe(400)
    }
  })

  it('can be closed during a call, and the SDK client gets the result', async () => {
    const { replicas, calls } = await startReplicas(1, 1)
    const [sessions] = replicas as [LegacySessions]
    let resumptions = 0
    const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      async fetch(url, init) {
        const request = new Request(url, init)
        const session = request.headers.get('mcp-session-id')
        const body = request.method === 'POST' ? { parsedBody: await request.json() } : {}
        const given = { ...body, authInfo: callerInfo(ada) }
        const bare = new Request(url, { method: request.method, headers: request.headers })
        if (session === null) return sessions.open(bare, given)
        if (request.headers.has('last-event-id') && ++resumptions === 2) calls[0]!()
        return sessions.resume(session, bare, given)
      },
    })
    const client = new Client({ name: 'x', version: '1' })
    await client.connect(transport)
    const result = await client.callTool({ name: 'wait' })
    expect(result.content).toEqual([{ type: 'text', text: 'done' }])
    expect(calls).toHaveLength(1)
    expect(resumptions).toBe(2)
    await client.close()
  })
})
