import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../../testing/services/free-port.ts'
import type { ServerConfig } from '../config/gateway-config.ts'
import {
  httpFixture,
  modernServer,
  nodeServer,
  referenceServer,
  serverConfig,
  startHttpServer,
} from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams, isAlive, until } from './fixtures/watch.fixtures.ts'
import type { Upstream } from './upstream.ts'

const upstreams = createUpstreams()
const started: (() => void)[] = []

async function serve(...args: Parameters<typeof startHttpServer>) {
  const server = await startHttpServer(...args)
  started.push(() => server.child.kill('SIGKILL'))
  return server
}

function http(url: string, kind: 'http' | 'sse' = 'http', headers = {}): ServerConfig {
  return serverConfig({ kind, url, headers })
}

afterAll(async () => {
  const left = await upstreams.closeAll()
  for (const stop of started) stop()
  expect(left).toEqual([])
})

const everything = referenceServer('everything')

describe.each([
  { over: 'stdio' },
  { over: 'Streamable HTTP', kind: 'http', mode: 'streamableHttp', path: 'mcp' },
  { over: 'SSE', kind: 'sse', mode: 'sse', path: 'sse' },
] as const)('server-everything over $over', ({ kind, mode, path }) => {
  let remote: Awaited<ReturnType<typeof serve>> | undefined
  let upstream: Upstream
  beforeAll(async () => {
    remote = mode && (await serve(() => [everything, mode]))
    const config = remote ? http(`${remote.url}/${path}`, kind) : nodeServer([everything])
    const clientCapabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }
    upstream = upstreams.open(config, { clientCapabilities })
    await upstream.connect()
  })

  it('lists and calls tools, reports progress, cancels calls and sends requests to the client', async () => {
    expect(upstream.status).toMatchObject({ state: 'ready', era: 'legacy', refused: [] })
    expect(upstream.instructions).toMatch(/\w/)
    expect(upstream.tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['echo', 'get-structured-content', 'trigger-elicitation-request']),
    )
    expect(await callText(upstream, 'echo', { message: 'ü' })).toBe('Echo: ü')

    const params = { name: 'get-structured-content', arguments: { location: 'Chicago' } }
    const weather = await upstream.request('tools/call', params)
    expect(weather.structuredContent).toMatchObject({ temperature: expect.any(Number) })

    const progress: unknown[] = []
    const onProgress = ({ progress: at }: { progress?: unknown }) => progress.push(at)
    const long = { duration: 0.3, steps: 3 }
    await callText(upstream, 'trigger-long-running-operation', long, { onProgress })
    expect(progress).toEqual([1, 2, 3])

    const controller = new AbortController()
    const { signal } = controller
    const endless = { duration: 60, steps: 600 }
    const cancelled = callText(upstream, 'trigger-long-running-operation', endless, {
      signal,
      onProgress: () => controller.abort(),
    })
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })

    const asked: string[] = []
    const onServerRequest = async (method: string) => {
      asked.push(method)
      return { action: 'decline' }
    }
    await callText(upstream, 'trigger-elicitation-request', {}, { onServerRequest })
    expect(asked).toEqual(['elicitation/create'])

    const { resources } = await upstream.request('resources/list', {})
    expect(resources).toEqual(
      expect.arrayContaining([expect.objectContaining({ uri: expect.any(String) })]),
    )
    const { prompts } = await upstream.request('prompts/list', {})
    expect(prompts).not.toEqual([])
  })

  if (!mode) return
  it('is reconnected after it restarts', async () => {
    const { child, port } = remote!
    child.kill('SIGKILL')
    await until(() => !isAlive(child.pid!))
    await serve(() => [everything, mode], { PORT: String(port) })
    await until(() => callText(upstream, 'echo', { message: 'a' }).catch(() => false))
    expect(await callText(upstream, 'echo', { message: 'back' })).toBe('Echo: back')
  })
})

describe.each<[string, () => Promise<ServerConfig>]>([
  ['stdio', async () => modernServer()],
  ['stdio that rejects the legacy era', async () => modernServer(['only'])],
  ['HTTP', async () => http((await serve(httpFixture)).url)],
])('a modern server over %s', (_, config) => {
  let upstream: Upstream
  beforeAll(async () => {
    upstream = upstreams.open(await config(), { discoverMs: 30_000 })
    await upstream.connect()
  })

  it('receives the modern envelope and parameter headers', async () => {
    expect(upstream.status).toMatchObject({ state: 'ready', era: 'modern' })
    expect(upstream.instructions).toBe('Speaks modern.')
    const envelope = JSON.parse(await callText(upstream, 'envelope'))
    expect(envelope['io.modelcontextprotocol/protocolVersion']).toBe('2026-07-28')
    expect(await callText(upstream, 'regional', { region: 'Überall' })).toBe('{"region":"Überall"}')
  })

  it('reports changed tools to its subscriber', async () => {
    const count = upstream.tools.length
    const hasGrown = () => upstream.tools.length > count
    // the first changes may happen before the subscription
    await until(async () => {
      await callText(upstream, 'change')
      await vi.waitFor(() => expect(hasGrown()).toBe(true), { timeout: 2_000 }).catch(() => {})
      return hasGrown()
    })
  })

  it('reports progress and can be cancelled', async () => {
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const slow = callText(upstream, 'slow', {}, { signal: controller.signal, onProgress })
    await expect(slow).rejects.toMatchObject({ code: 'cancelled' })
    await until(async () => {
      const { tools } = await upstream.request('tools/list', {})
      return (tools as { name: string }[]).some(({ name }) => name === 'was_cancelled')
    })
  })

  it('asks for input in its result and receives it with the next call', async () => {
    // modern requests carry the capabilities of their client
    const envelope = {
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const params = { name: 'ask', arguments: { a: 1 } }
    const question = await upstream.request('tools/call', params, { envelope })
    expect(question).toMatchObject({ resultType: 'input_required', requestState: 'kept' })
    const inputResponses = { sure: { action: 'accept', content: { ok: true } } }
    const answered = { ...params, inputResponses, requestState: 'kept' }
    expect(await upstream.request('tools/call', answered, { envelope })).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
    })
  })
})

describe('a remote server', () => {
  it('needs a sign-in without a token, and is ready with one', async () => {
    const { url } = await serve(httpFixture, { TOKEN: 'secret' })
    const anonymous = upstreams.open(http(url))
    await anonymous.connect()
    expect(anonymous.status).toMatchObject({
      state: 'needs-sign-in',
      detail: expect.stringMatching(/requires a sign-in \(HTTP 401\)/),
    })
    await expect(callText(anonymous, 'envelope')).rejects.toMatchObject({ code: 'needs-sign-in' })
    const authorized = upstreams.open(http(url, 'http', { Authorization: 'Bearer secret' }))
    await authorized.connect()
    expect(authorized.status.state).toBe('ready')
  })

  it('fails with the reason if it cannot be reached', async () => {
    const upstream = upstreams.open(http('http://127.0.0.1:9/mcp'))
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/cannot be reached|The connection to server failed/),
    })
  })

  it('is called as soon as it is back, without waiting for the next retry', async () => {
    const port = await freePort()
    // the retries are too far apart for the timeout of the test
    const upstream = upstreams.open(http(`http://127.0.0.1:${port}/mcp`), { random: () => 1_000 })
    await expect(callText(upstream, 'envelope')).rejects.toMatchObject({ code: 'not-started' })
    await serve(httpFixture, { PORT: String(port) })
    expect(await callText(upstream, 'envelope')).toContain('{')
  })
})
