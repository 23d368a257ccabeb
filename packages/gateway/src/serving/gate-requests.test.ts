import { PassThrough } from 'node:stream'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { createAccess } from '../access/create-access.ts'
import { createGateway } from '../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../offering/upstream-set.fixtures.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { MODERN_VERSION } from '../protocol/versions.ts'
import { mcpServer } from './mcp-server.ts'
import { RefusedError } from './refused-error.ts'
import type { AgentRequest, GatedAnswer, RequestGate } from './request-gate.ts'
import { serveStdio } from './serve-stdio.ts'

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
})

/** A client of a gateway with a gate, and what the gate has seen. */
function start(options: { shortcut?: boolean; refuse?: (request: AgentRequest) => boolean } = {}) {
  const { shortcut = true, refuse = () => false } = options
  const servers = upstreamSet({
    bank: {
      tools: [tool('look'), tool('rob')],
      era: 'legacy',
      capabilities: { resources: {}, prompts: {} },
      answer(_, method) {
        if (method === 'resources/list') return { resources: [{ uri: 'bank://vault', name: 'v' }] }
        if (method === 'prompts/list') return { prompts: [{ name: 'plan' }] }
        if (method === 'resources/templates/list') return { resourceTemplates: [] }
        return { content: [{ type: 'text', text: 'done' }] }
      },
    },
  })
  const rules = [{ allow: ['bank/look'] }]
  const config = {
    ...gatewayConfig([serverConfig('bank')], { shortcut }),
    access: { rules, cedar: [] },
  }
  const access = createAccess(config)
  const gateway = createGateway(config, servers, { access })
  const seen: { request: AgentRequest; answer?: GatedAnswer | undefined }[] = []
  const gate: RequestGate = async (request, next) => {
    const entry: (typeof seen)[number] = { request }
    seen.push(entry)
    if (refuse(request)) {
      throw new RefusedError('Too many. Try again in 5 seconds.', {
        outcome: 'limited',
        reason: 'rule',
        retryAfterMs: 5_000,
      })
    }
    entry.answer = await next()
    return entry.answer
  }
  const [input, output] = [new PassThrough(), new PassThrough()]
  const received: JsonObject[] = []
  output.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) received.push(JSON.parse(line))
  })
  serveStdio(mcpServer(gateway, servers, { version: '1', gate }), { input, output })
  let id = 0
  async function request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const mine = ++id
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: mine, method, params })}\n`)
    await expect.poll(() => received.some((message) => message.id === mine)).toBe(true)
    return received.find((message) => message.id === mine)!
  }
  const initialize = () =>
    request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
  const send = (message: JsonObject) =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return { request, initialize, send, received, seen }
}

describe.each([true, false])('a gate, with the shortcut on: %s', (shortcut) => {
  it('surrounds every request once, including those that the SDK answers', async () => {
    const { request, initialize, seen } = start({ shortcut })
    await initialize()
    await request('ping')
    await request('tools/list')
    await request('tools/call', { name: 'bank__look', arguments: {} })
    await request('resources/list')
    await request('prompts/list')
    expect(seen.map(({ request }) => request.method)).toEqual([
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'resources/list',
      'prompts/list',
    ])
    expect(seen[3]).toMatchObject({
      request: { target: { kind: 'tool', server: 'bank', name: 'look' }, client: 'test' },
      answer: {
        outcome: {
          outcome: 'ok',
          target: { name: 'look' },
          reason: expect.stringContaining('[0]'),
        },
      },
    })
    expect(seen[3]?.answer?.outcome.resultBytes).toBeGreaterThan(10)
  })

  it('learns what was denied, although the agent does not', async () => {
    const { request, initialize, seen } = start({ shortcut })
    await initialize()
    await request('tools/call', { name: 'bank__rob', arguments: {} })
    await request('tools/call', {
      name: 'call_destructive_tool',
      arguments: { name: 'bank__rob', arguments: {} },
    })
    await request('tools/call', { name: 'describe_tools', arguments: { names: ['bank__rob'] } })
    await request('resources/read', { uri: 'bank://vault' })
    await request('prompts/get', { name: 'bank__plan' })
    const [, ...denied] = seen
    for (const { answer } of denied) expect(answer?.outcome.outcome).toBe('denied')
    expect(denied.map(({ request, answer }) => [request.target, answer?.outcome.target])).toEqual([
      [undefined, { kind: 'tool', server: 'bank', name: 'rob' }],
      [
        { kind: 'meta', name: 'call_destructive_tool' },
        { kind: 'tool', server: 'bank', name: 'rob' },
      ],
      [
        { kind: 'meta', name: 'describe_tools' },
        { kind: 'tool', server: 'bank', name: 'rob' },
      ],
      [undefined, { kind: 'resource', server: 'bank', name: 'bank://vault' }],
      [undefined, { kind: 'prompt', server: 'bank', name: 'plan' }],
    ])
  })

  it('learns what searches found', async () => {
    const { request, initialize, seen } = start({ shortcut })
    await initialize()
    await request('tools/call', { name: 'tool_search', arguments: { query: 'look' } })
    expect(seen[1]?.answer?.outcome.searches).toMatchObject([
      { query: 'look', hits: ['bank__look'] },
    ])
  })

  it('refuses a call with a result for the model, and other requests with an error', async () => {
    const refuse = ({ method }: AgentRequest) => method !== 'initialize'
    const { request, initialize } = start({ shortcut, refuse })
    await initialize()
    expect(await request('tools/call', { name: 'bank__look', arguments: {} })).toMatchObject({
      result: { isError: true, content: [{ text: 'Too many. Try again in 5 seconds.' }] },
    })
    expect(await request('tools/list')).toMatchObject({
      error: { message: 'Too many. Try again in 5 seconds.', data: { retryAfterMs: 5_000 } },
    })
  })

  describe('for a stream of notifications', () => {
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
      [CLIENT_INFO_META_KEY]: { name: 'listener', version: '1' },
      [CLIENT_CAPABILITIES_META_KEY]: {},
    }
    const params = { notifications: { toolsListChanged: true }, _meta }
    const listen = { id: 'stream', method: 'subscriptions/listen', params }
    const acknowledged = ({ method }: JsonObject) =>
      method === 'notifications/subscriptions/acknowledged'

    it('surrounds its request', async () => {
      const { send, request, received, seen } = start({ shortcut })
      send(listen)
      await request('tools/list', { _meta })
      await expect.poll(() => received.some(acknowledged)).toBe(true)
      expect(seen.map(({ request }) => request.method)).toEqual([
        'subscriptions/listen',
        'tools/list',
      ])
      expect(seen[0]!.request.client).toBe('listener')
    })

    it('can refuse it', async () => {
      const { send, received } = start({ shortcut, refuse: () => true })
      send(listen)
      await expect
        .poll(() => received)
        .toMatchObject([{ id: 'stream', error: { code: -32_029, data: { retryAfterMs: 5_000 } } }])
    })

    it('does not let it pass if the client has cancelled it', async () => {
      const { send, request, received, seen } = start({ shortcut })
      send(listen)
      send({ method: 'notifications/cancelled', params: { requestId: 'stream' } })
      await request('tools/list', { _meta })
      expect(seen).toHaveLength(2)
      expect(received.some(acknowledged)).toBe(false)
    })
  })
})
