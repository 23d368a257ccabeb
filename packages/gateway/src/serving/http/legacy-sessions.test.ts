import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { callerInfo } from '../../identity/caller.ts'
import { LOCAL_PERSON, personId } from '../../identity/person.ts'
import { countCalls } from '../calls-in-flight.ts'
import { type GuardedServer, guardedServer } from './guarded-server.ts'
import { createLegacySessions } from './legacy-sessions.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** Serves sessions whose only tool waits until `finish` is called. */
async function start(
  maxSessions: number,
): Promise<{ url: URL; finish: () => void; calls: number }> {
  const state = { url: new URL('http://x'), finish: () => {}, calls: 0 }
  const finished = new Promise<void>((resolve) => {
    state.finish = resolve
  })
  const sessions = createLegacySessions(
    () => {
      const server = new Server({ name: 'x', version: '1' }, { capabilities: { tools: {} } })
      const run = countCalls(server, async () => {
        state.calls++
        await finished
        return { content: [{ type: 'text', text: 'done' }] }
      })
      server.setRequestHandler('tools/call', async () => (await run({}, {})) as never)
      return server
    },
    { maxBody: 10_000, maxSessions },
  )
  const pages = async (request: Request) => {
    const id = request.headers.get('mcp-session-id')
    return id === null
      ? sessions.open(request, { parsedBody: await request.json() })
      : sessions.resume(id, request)
  }
  const server: GuardedServer = await guardedServer(new Map(), { pages })
  open.push(sessions, server)
  state.url = new URL(`${server.origin}/x`)
  return state
}

async function connect(url: URL): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

describe('createLegacySessions', () => {
  it('keeps a session with a call in flight, however many are newer', async () => {
    const served = await start(3)
    const busy = await connect(served.url)
    const idle = await connect(served.url)
    const call = busy.callTool({ name: 'wait' })
    await expect.poll(() => served.calls).toBe(1)
    for (let index = 0; index < 4; index++) await connect(served.url)
    await expect(idle.callTool({ name: 'wait' })).rejects.toThrow('Unknown session')
    served.finish()
    expect(await call).toMatchObject({ content: [{ text: 'done' }] })
  })

  it('takes sessions from the person who has the most, where large ones count as several', async () => {
    const sessions = createLegacySessions(
      () => new Server({ name: 'x', version: '1' }, { capabilities: {} }),
      { maxBody: 1_000_000, maxSessions: 5 },
    )
    open.push(sessions)
    const post = (headers: Record<string, string> = {}) =>
      new Request('http://gateway/mcp', {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
      })
    const authInfo = (name: string) =>
      callerInfo({ person: { ...LOCAL_PERSON, id: personId('test', name) } })
    const initialize = async (name: string, text = '') => {
      const clientInfo = { name: 'x', version: text }
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
      const parsedBody = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
      return sessions.open(post(), { parsedBody, authInfo: authInfo(name) })
    }
    const start = async (name: string, text = '') =>
      (await initialize(name, text)).headers.get('mcp-session-id')!
    const statusOf = async (name: string, session: string) => {
      const parsedBody = { jsonrpc: '2.0', id: 2, method: 'ping' }
      const given = { parsedBody, authInfo: authInfo(name) }
      return (await sessions.resume(session, post({ 'mcp-session-id': session }), given)).status
    }
    const ann = await start('ann')
    const eve: string[] = []
    for (let count = 0; count < 6; count += 1) eve.push(await start('eve'))
    expect(await statusOf('ann', ann)).toBe(200)
    expect(await Promise.all(eve.map((each) => statusOf('eve', each)))).toEqual([
      ...[404, 404],
      ...[200, 200, 200, 200],
    ])
    await start('eve', 'x'.repeat(25_000))
    expect(await statusOf('ann', ann)).toBe(200)
    expect(await Promise.all(eve.slice(2).map((each) => statusOf('eve', each)))).toEqual([
      ...[404, 404, 404],
      200,
    ])
    expect((await initialize('eve', 'x'.repeat(100_000))).status).toBe(413)
  })
})
