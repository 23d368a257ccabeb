import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRedis, type TestRedis } from '../../../testing/services/start-redis.ts'
import { recorded, textOf } from './cli/serving.fixtures.ts'
import { type OpenGateway, openGateway } from './open-gateway.ts'
import {
  longText,
  type SharedUpstream,
  startUpstream,
} from './serving/http/shared-upstream.fixtures.ts'
import { roundRobin, startProxy, type TestProxy } from './serving/http/start-proxy.fixtures.ts'
import { faultyServer } from './upstreams/fixtures/servers.fixtures.ts'

const info = { name: 'test', version: '1' }
let upstream: SharedUpstream
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

const { kind: _, ...asking } = faultyServer().connection
/** Arguments with which its tool asks the client. */
const question = {
  params: {
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
}

const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.close())

interface Replicas {
  readonly gateways: readonly OpenGateway[]
  readonly proxy: TestProxy
  close(): Promise<void>
}

/** Three gateways with one Redis behind a load balancer that never chooses the same one twice in a row. */
async function openReplicas(
  settings: object,
  { url = redis.url, servers = {} }: { url?: string; servers?: object } = {},
): Promise<Replicas> {
  const state = { redis: url, redisPrefix: `test:${randomUUID()}:` }
  const config = {
    mcpServers: { ...servers, shared: { url: upstream.url } },
    toolsearch: { ...settings, state },
  }
  const options = { cacheFolder: false, stateFolder: false, onWarning: () => {} } as const
  const gateways = await Promise.all([0, 1, 2].map(() => openGateway(config as never, options)))
  await Promise.all(gateways.map((gateway) => gateway.ready()))
  const services = await Promise.all(gateways.map((gateway) => gateway.serveHttp()))
  const proxy = await startProxy(services.map(({ url }) => new URL(url).origin))
  proxy.choose = roundRobin()
  return {
    gateways,
    proxy,
    async close() {
      await proxy.close()
      await Promise.all(gateways.map((gateway) => gateway.close()))
    },
  }
}

async function oldClient(
  { proxy }: Replicas,
  capabilities: object = {},
): Promise<{ client: OldClient; transport: OldHttp }> {
  const client = new OldClient(info, { capabilities })
  const transport = new OldHttp(proxy.url)
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  return { client, transport }
}

describe('replicas behind a load balancer', () => {
  let replicas: Replicas
  beforeAll(async () => {
    replicas = await openReplicas({ mode: 'passthrough' }, { servers: { asking } })
  })
  afterAll(() => replicas.close())

  it('serve each session through all replicas, with SDK 1 and 2', async () => {
    const { client } = await oldClient(replicas)
    for (let i = 0; i < 9; i++) {
      const result = await client.callTool({ name: 'shared__count', arguments: { i } })
      expect(JSON.parse(textOf(result))).toEqual({ i })
    }
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(5)
    for (const options of [{}, MODERN]) {
      const next = new Client(info, options as never)
      await next.connect(new StreamableHTTPClientTransport(replicas.proxy.url))
      for (let i = 0; i < 6; i++) {
        const call = { name: 'shared__count', arguments: { i } }
        expect(JSON.parse(textOf(await next.callTool(call)))).toEqual({ i })
      }
      await next.close()
    }
    expect([...replicas.proxy.counts.values()].every((count) => count > 3)).toBe(true)
  })

  it('mix nothing up between many sessions with random routing', async () => {
    const { proxy } = replicas
    const choose = proxy.choose
    proxy.choose = (all) => all[Math.floor(Math.random() * all.length)]!
    await Promise.all(
      Array.from({ length: 8 }, async (_, session) => {
        const { client } = await oldClient(replicas)
        for (let call = 0; call < 8; call++) {
          const args = { session, call }
          const result = await client.callTool({ name: 'shared__count', arguments: args })
          expect(JSON.parse(textOf(result))).toEqual(args)
        }
      }),
    )
    proxy.choose = choose
  })

  it('pass answers of a client on to the replica that asked', async () => {
    const { client } = await oldClient(replicas, { elicitation: {}, sampling: {} })
    const elicit = vi.fn(async () => ({ action: 'accept' as const, content: { name: 'Ada' } }))
    client.setRequestHandler(ElicitRequestSchema, elicit)
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      model: 'm',
      role: 'assistant' as const,
      content: { type: 'text' as const, text: 'sampled' },
    }))
    // Several at the same time, because the SDK of each replica counts its requests from zero.
    const results = await Promise.all(
      Array.from({ length: 6 }, () =>
        client.callTool({ name: 'asking__ask', arguments: question }),
      ),
    )
    for (const result of results) expect(JSON.stringify(result.content)).toContain('Ada')
    expect(elicit).toHaveBeenCalledTimes(6)
    const sampled = await client.callTool({
      name: 'asking__ask',
      arguments: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    })
    expect(JSON.stringify(sampled.content)).toContain('sampled')
  })

  it('continue a call that waits for the answer of a modern client', async () => {
    const client = new Client(info, {
      ...MODERN,
      capabilities: { elicitation: { form: {} } },
    } as never)
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { name: 'Ada', ok: true },
    }))
    await client.connect(new StreamableHTTPClientTransport(replicas.proxy.url))
    onTestFinished(() => client.close())
    for (let i = 0; i < 3; i++) {
      const elicited = await client.callTool({ name: 'asking__ask', arguments: question })
      expect(JSON.stringify(elicited.content)).toContain('Ada')
    }
  })

  it('cancel a call that another replica runs', async () => {
    const { client } = await oldClient(replicas)
    const controller = new AbortController()
    const before = upstream.cancelled
    const call = client.callTool({ name: 'shared__wait' }, undefined, {
      signal: controller.signal,
      timeout: 600_000,
    })
    call.catch(() => {})
    await expect.poll(() => upstream.running).toBe(1)
    controller.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => upstream.cancelled).toBe(before + 1)
    expect(upstream.running).toBe(0)
  })

  it('forget a session for all when the client deletes it', async () => {
    const { client, transport } = await oldClient(replicas)
    for (let i = 0; i < 3; i++) await client.ping()
    const id = transport.sessionId!
    const urls = replicas.proxy.targets
    await transport.terminateSession()
    // The other replicas hear of it soon. From then on, none of them opens it again.
    const statuses = async () => {
      const answers = await Promise.all(urls.map((url) => ping(new URL('/mcp', url), id)))
      return answers.map(({ status }) => status)
    }
    await expect.poll(statuses).toEqual([404, 404, 404])
    for (let i = 0; i < 3; i++) expect(await statuses()).toEqual([404, 404, 404])
  })

  it('answer unknown sessions and those of others with the same 404', async () => {
    for (const id of [randomUUID(), 'x', '../../etc', 'a'.repeat(10_000)]) {
      const response = await ping(replicas.proxy.url, id)
      expect(response.status).toBe(404)
    }
  })
})

function ping(url: URL, session: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
}

describe('replicas in mode dynamic', () => {
  it('list the tools that a session has found, whichever replica found them, and say so', async () => {
    const replicas = await openReplicas({ mode: 'dynamic' }, { servers: { everything: recorded } })
    onTestFinished(() => replicas.close())
    const { client } = await oldClient(replicas)
    const changed = vi.fn()
    client.setNotificationHandler(ToolListChangedNotificationSchema, changed)
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    const before = await names()
    expect(before).not.toContain('everything__get-sum')
    for (const query of ['add two numbers', 'echo a message', 'tiny image']) {
      const calls = changed.mock.calls.length
      await client.callTool({ name: 'tool_search', arguments: { query } })
      await expect.poll(() => changed.mock.calls.length).toBeGreaterThan(calls)
    }
    const lists = [await names(), await names(), await names()]
    for (const list of lists) {
      expect(list).toEqual(lists[0])
      expect(list).toEqual(
        expect.arrayContaining([
          'everything__get-sum',
          'everything__echo',
          'everything__get-tiny-image',
        ]),
      )
    }
    const { client: other } = await oldClient(replicas)
    expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(before)
  })
})

describe('replicas that offer tools for searches, calls and scripts', () => {
  let replicas: Replicas
  let before: number
  beforeAll(async () => {
    const toolsearch = {
      scripts: true,
      limits: { resultChars: 1_000 },
      rateLimits: [{ each: 'person', calls: 5, per: 'hour', tools: ['shared/count'] }],
    }
    replicas = await openReplicas(toolsearch, { servers: { asking } })
    before = upstream.calls.length
  })
  afterAll(() => replicas.close())

  it('read the rest of a result through any replica', async () => {
    const { client } = await oldClient(replicas)
    const call = async (name: string, args: object) =>
      textOf(await client.callTool({ name, arguments: args as Record<string, unknown> }))
    const long = { name: 'shared__long', arguments: { length: 4_000 } }
    let part = await call('call_destructive_tool', long)
    let whole = ''
    for (;;) {
      const [text, note] = part.split('\n\n[Truncated')
      whole += text
      const next = /id "([^"]+)" and offset (\d+)/.exec(note ?? '')
      if (!next) break
      part = await call('read_result', { id: next[1], offset: Number(next[2]) })
    }
    expect(whole).toBe(longText(4_000))
    const id = /id "([^"]+)"/.exec(await call('call_destructive_tool', long))![1]!
    const { client: other } = await oldClient(replicas)
    for (let i = 0; i < 3; i++) {
      const read = await other.callTool({ name: 'read_result', arguments: { id } })
      expect(textOf(read)).toContain('no longer stored')
    }
  })

  async function client(options: object = {}): Promise<Client> {
    const next = new Client(info, { ...MODERN, ...options } as never)
    await next.connect(new StreamableHTTPClientTransport(replicas.proxy.url))
    onTestFinished(() => next.close())
    return next
  }

  const run = (script: string) => ({ name: 'run_destructive_script', arguments: { script } })

  it('count calls of scripts together with what the person called through other replicas', async () => {
    const agent = await client()
    const direct = {
      name: 'call_destructive_tool',
      arguments: { name: 'shared__count', arguments: {} },
    }
    for (let i = 0; i < 2; i++) expect((await agent.callTool(direct)).isError).toBeFalsy()
    const script = `
      let done = 0
      for (let n = 0; n < 4; n++) {
        try { await tools.shared__count({ n }); done++ } catch (error) { return [done, n, error.retryAfterMs > 0] }
      }`
    expect(JSON.parse(textOf((await agent.callTool(run(script))) as never))).toEqual([3, 3, true])
    // Two replicas more: the limit is reached everywhere.
    for (let i = 0; i < 2; i++) {
      const again = textOf((await agent.callTool(run(script))) as never)
      expect(JSON.parse(again)).toEqual([0, 0, true])
    }
    expect(upstream.calls.slice(before).filter((call) => !('length' in call))).toHaveLength(5)
  })

  it('continue a script that waits for an answer, whichever replica gets the answer', async () => {
    const agent = await client({ capabilities: { elicitation: { form: {} } } })
    let asked = 0
    agent.setRequestHandler('elicitation/create', async () => {
      asked += 1
      return { action: 'accept', content: { name: `Ada ${asked}`, ok: true } }
    })
    const script = `
      const answers = []
      for (let n = 0; n < 3; n++) answers.push(JSON.stringify(await tools.asking__ask(${JSON.stringify(question)})))
      return answers.map((each) => /Ada \\d/.exec(each)?.[0])`
    const text = textOf((await agent.callTool(run(script))) as never)
    expect(JSON.parse(text)).toEqual(['Ada 1', 'Ada 2', 'Ada 3'])
  })
})

describe('replicas and Redis', () => {
  it('go on after Redis was away and has lost its data, and after one of them has ended', async () => {
    const own = await startRedis()
    onTestFinished(() => own.close())
    const replicas = await openReplicas({ mode: 'passthrough' }, { url: own.url })
    onTestFinished(() => replicas.close())
    const { client } = await oldClient(replicas)
    const { proxy } = replicas
    const call = async () => textOf(await client.callTool({ name: 'shared__count' }))
    const answer = await call()
    const readyz = () =>
      Promise.all(proxy.targets.map(async (each) => (await fetch(`${each}/readyz`)).status))
    await own.stop()
    await expect.poll(readyz).toEqual([503, 503, 503])
    const refused = await fetch(proxy.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
      }),
    })
    expect(refused.status).toBe(503)
    await own.start()
    await expect.poll(readyz).toEqual([200, 200, 200])
    for (let i = 0; i < 6; i++) expect(await call()).toBe(answer)
    await replicas.gateways[0]!.close()
    proxy.targets = proxy.targets.slice(1)
    for (let i = 0; i < 4; i++) expect(await call()).toBe(answer)
  })
})
