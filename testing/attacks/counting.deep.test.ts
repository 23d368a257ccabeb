import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Rig, startRig } from './rig.ts'
import { rpcRequest } from './rpc-request.ts'

let rig: Rig
const ending = new AbortController()
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  ending.abort()
  await rig.close()
})

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function openSession(as: string): Promise<string> {
  const clientInfo = { name: 'old', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  const { headers } = await rig.send({ path: '/mcp', method: 'POST', headers: HEADERS, body, as })
  return headers.get('mcp-session-id')!
}

async function statusOf(session: string, as: string): Promise<number> {
  const headers = { ...HEADERS, 'mcp-session-id': session }
  const body = { jsonrpc: '2.0', id: 2, method: 'ping' }
  return (await rig.send({ path: '/mcp', method: 'POST', headers, body, as })).status
}

/** Opens a stream of notifications. Resolves to its first message, and to whether it has ended. */
async function listen(as: string): Promise<{ first: string; hasEnded: () => boolean }> {
  const { headers, ...request } = rpcRequest('subscriptions/listen', {
    notifications: { toolsListChanged: true },
  })
  const { body } = await fetch(`${rig.url}/mcp`, {
    ...request,
    headers: { ...headers, authorization: `Bearer ${as}` },
    signal: ending.signal,
  })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  const { value = '' } = await reader.read()
  let hasEnded = false
  const untilEnd = async () => {
    while (!(await reader.read()).done);
    hasEnded = true
  }
  void untilEnd().catch(() => {})
  return { first: value, hasEnded: () => hasEnded }
}

/** Runs something many times, a few at a time. */
async function many(times: number, run: () => Promise<unknown>): Promise<void> {
  const some = async () => {
    for (let count = 0; count < times / 10; count += 1) await run()
  }
  await Promise.all(Array.from({ length: 10 }, some))
}

describe('a member who takes all there is', () => {
  it('of sessions loses their own, and nobody else does', async () => {
    const [honest, greedy] = [await rig.key('honest'), await rig.key('greedy')]
    const kept = await openSession(honest)
    const first = await openSession(greedy)
    await many(1_100, () => openSession(greedy))
    expect(await statusOf(kept, honest)).toBe(200)
    expect(await statusOf(first, greedy)).toBe(404)
    expect(await statusOf(await openSession(honest), honest)).toBe(200)
  })

  it('of streams leaves room for everybody else', async () => {
    const [honest, greedy] = [await rig.key('honest'), await rig.key('greedy')]
    const kept = await listen(honest)
    const first = await listen(greedy)
    await many(1_030, () => listen(greedy))
    expect((await listen(greedy)).first).toContain('error')
    expect((await listen(honest)).first).toContain('acknowledged')
    await expect.poll(first.hasEnded).toBe(true)
    expect(kept.hasEnded()).toBe(false)
  })
})
