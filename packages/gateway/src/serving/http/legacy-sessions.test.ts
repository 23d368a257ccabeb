import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
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
})
