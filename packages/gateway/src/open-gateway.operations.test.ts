import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  PROTOCOL_VERSION_META_KEY,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AuditEntry } from './audit/audit-entry.ts'
import { openAuditStore } from './audit/open-audit-store.ts'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'
import { MODERN_VERSION } from './protocol/versions.ts'
import { startCollector, type TestCollector } from './telemetry/collector.fixtures.ts'

/** A server that answers with what it has received, and waits if asked to. */
const SERVER = `
  const tools = ['echo', 'fail', 'delete_all', 'delete-one'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const serverInfo = { name: 'x', version: '1' }
    const text = JSON.stringify(params)
    const result =
      method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
      : method === 'tools/list' ? { tools }
      : { content: [{ type: 'text', text }], isError: params?.name === 'fail' }
    const known = ['initialize', 'tools/list', 'tools/call', 'ping'].includes(method)
    const answer = known ? { result } : { error: { code: -32601, message: 'Unknown method' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

type Settings = NonNullable<ConfigFile['toolsearch']>

let folder: string
let collector: TestCollector
const opened: OpenGateway[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-operations-'))
  collector = await startCollector()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()))
  await collector.close()
})

async function open(toolsearch: Settings, isListed = true, token?: string) {
  const gateway = await openGateway(
    {
      mcpServers: { echoes: { command: process.execPath, args: ['-e', SERVER] } },
      toolsearch: { mode: isListed ? 'passthrough' : 'search', ...toolsearch },
    },
    { cacheFolder: false, stateFolder: folder, onWarning: () => {} },
  )
  opened.push(gateway)
  await gateway.ready()
  const { url } = await gateway.serveHttp({ token })
  return { gateway, url: new URL(url) }
}

async function modernClient(url: URL, headers: Record<string, string> = {}) {
  const client = new Client(
    { name: 'modern', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

async function legacyClient(url: URL, headers: Record<string, string> = {}) {
  const client = new ClientV1({ name: 'legacy', version: '1' })
  await client.connect(new TransportV1(url, { requestInit: { headers } }) as never)
  return client
}

async function audited(kind: AuditEntry['kind'] = 'request'): Promise<readonly AuditEntry[]> {
  const file = resolve('toolsearch.json')
  const store = openAuditStore({ to: 'file' }, { file, stateFolder: folder })
  return (await store.query({ kind }, { limit: 1_000 })).entries.toReversed()
}

const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n')

describe.each([
  ['modern', modernClient],
  ['legacy', legacyClient],
])('a gateway with operations, and a %s client', (name, connect) => {
  it('records requests, searches, denials and failures', async () => {
    const { url, gateway } = await open(
      {
        audit: { arguments: 'redacted' },
        access: { rules: [{ allow: ['*'] }, { deny: ['delete_*'] }] },
      },
      false,
    )
    const client = await connect(url)
    const call = (tool: string, args: object) =>
      client.callTool({ name: tool, arguments: { ...args } } as never)
    await call('tool_search', { query: 'echo something' })
    await call('tool_search', { query: 'brew coffee' })
    const inner = { name: 'echoes__echo', arguments: { text: 'hi', password: 'hunter2' } }
    await call('call_destructive_tool', inner)
    await call('call_destructive_tool', { name: 'echoes__fail', arguments: {} })
    await call('call_destructive_tool', { name: 'echoes__delete_all', arguments: {} })
    await client.close()
    await gateway.close()
    const entries = await audited()
    const calls = entries.filter(({ action }) => action === 'tools/call')
    expect(calls.map(({ outcome, target }) => [outcome, target?.server, target?.name])).toEqual([
      ['ok', undefined, 'tool_search'],
      ['ok', undefined, 'tool_search'],
      ['ok', 'echoes', 'echo'],
      ['failed', 'echoes', 'fail'],
      ['denied', 'echoes', 'delete_all'],
    ])
    expect(calls[0]!.searches).toEqual([
      { query: 'echo something', hits: expect.arrayContaining(['echoes__echo']) },
    ])
    expect(calls[1]!.searches).toMatchObject([{ query: 'brew coffee' }])
    expect(calls[4]!.reason).toContain('access.rules[1]')
    expect(calls.every(({ client }) => client === name)).toBe(true)
    expect(JSON.stringify(entries)).not.toContain('hunter2')
  })

  it('records methods that do not exist, and the client that connects', async () => {
    const { url, gateway } = await open({ audit: {} })
    const client = await connect(url)
    const request = (method: string) =>
      (client as ClientV1).request({ method, params: {} } as never, z.looseObject({}))
    await expect(request('tools/destroy')).rejects.toThrow('Method not found')
    // A method of the modern protocol.
    if (name === 'legacy') await expect(request('subscriptions/listen')).rejects.toThrow()
    await client.close()
    await gateway.close()
    const entries = await audited()
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'tools/destroy', outcome: 'failed', client: name }),
    )
    expect(entries.every((entry) => entry.client === name)).toBe(true)
    if (name === 'legacy') {
      expect(entries).toContainEqual(
        expect.objectContaining({ action: 'subscriptions/listen', outcome: 'failed' }),
      )
      expect(entries[0]).toMatchObject({ action: 'initialize' })
    }
  })

  it('refuses calls beyond a limit, and tells when to try again', async () => {
    const { url } = await open({
      audit: {},
      rateLimits: [{ each: 'person', calls: 2, per: 'hour' }],
    })
    const client = await connect(url)
    const call = () => client.callTool({ name: 'echoes__echo', arguments: {} })
    expect((await call()).isError).toBeFalsy()
    expect((await call()).isError).toBeFalsy()
    const refused = await call()
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toBe(
      'Rate limit reached: you can make 2 calls per hour. Try again in 60 minutes.',
    )
    expect((refused._meta as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(3_000_000)
    // Lists are not limited.
    expect((await client.listTools()).tools).toHaveLength(4)
    await client.close()
    await expect
      .poll(async () => (await audited()).map(({ outcome }) => outcome))
      .toContain('limited')
  })

  it('executes nothing whose entry must be stored but cannot be', async () => {
    const { url } = await open({ audit: { required: true } })
    const client = await connect(url)
    const call = () => client.callTool({ name: 'echoes__echo', arguments: {} })
    expect((await call()).isError).toBeFalsy()
    await rm(join(folder, 'audit'), { recursive: true })
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(folder, 'audit'), 'not a folder')
    expect(textOf(await call())).toContain('cannot write its audit log')
    await rm(join(folder, 'audit'))
    expect((await call()).isError).toBeFalsy()
    await client.close()
  })

  it('traces requests through to the server', async () => {
    const { url, gateway } = await open({ telemetry: { otlpUrl: collector.url } })
    const client = await connect(url)
    const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
    const result = await client.callTool({
      name: 'echoes__echo',
      arguments: {},
      _meta: { traceparent },
    } as never)
    await client.close()
    await gateway.close()
    const spans = collector.spans().filter(({ name }) => name === 'tools/call echo')
    const [server, sent] = [2, 3].map((kind) => spans.find((span) => span.kind === kind)!)
    expect(server).toMatchObject({ parentSpanId: '2222222222222222' })
    expect(sent).toMatchObject({
      parentSpanId: server!.spanId,
      attributes: { 'toolsearch.server.name': 'echoes', 'gen_ai.tool.name': 'echo' },
    })
    expect(JSON.parse(textOf(result))._meta.traceparent).toBe(
      `00-11111111111111111111111111111111-${sent!.spanId}-01`,
    )
  })

  it.each([{ shortcut: true }, { shortcut: false }])(
    'reads the trace context of HTTP headers, unless _meta has one: %o',
    async (settings) => {
      const { url, gateway } = await open({ telemetry: { otlpUrl: collector.url }, ...settings })
      const client = await connect(url, {
        traceparent: '00-33333333333333333333333333333333-4444444444444444-01',
      })
      const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
      await client.callTool({ name: 'echoes__echo', arguments: {} })
      await client.callTool({
        name: 'echoes__fail',
        arguments: {},
        _meta: { traceparent },
      } as never)
      await client.listTools()
      await client.close()
      await gateway.close()
      const parentOf = (name: string) =>
        collector.spans().find((span) => span.kind === 2 && span.name === name)?.parentSpanId
      expect(parentOf('tools/call echo')).toBe('4444444444444444')
      expect(parentOf('tools/list')).toBe('4444444444444444')
      expect(parentOf('tools/call fail')).toBe('2222222222222222')
    },
  )
})

it('records which tool a script was denied, and does not tell the script', async () => {
  const { url, gateway } = await open(
    { audit: {}, scripts: true, access: { rules: [{ allow: ['*'] }, { deny: ['delete*'] }] } },
    false,
  )
  const client = await modernClient(url)
  const run = async (expression: string) => {
    const script = `try { await ${expression}({}) } catch (error) { return [error.message, error.tool] }`
    const result = await client.callTool({ name: 'run_destructive_script', arguments: { script } })
    return textOf(result)
  }
  const missing = await run('tools.echoes__nothing_a')
  for (const hidden of [
    'tools.echoes__delete_one',
    'tools.echoes.delete_one',
    'tools["echoes__delete-one"]',
  ]) {
    const answer = await run(hidden)
    expect(answer.replaceAll(/echoes__delete.one/g, 'echoes__nothing_a')).toBe(missing)
  }
  await client.close()
  await gateway.close()
  const calls = (await audited()).filter(({ script, target }) => script && target?.kind !== 'meta')
  const denied = {
    outcome: 'denied',
    target: { server: 'echoes', name: 'delete-one' },
    reason: expect.stringContaining('deny[0]'),
  }
  expect(calls).toMatchObject([{ outcome: 'failed' }, denied, denied, denied])
})

it('records refused credentials', async () => {
  const { url, gateway } = await open({ audit: {} }, true, 'the-token')
  const post = (token: string) =>
    fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  expect((await post('wrong')).status).toBe(401)
  await gateway.close()
  const entries = (await audited('admin')).filter(({ action }) => action.startsWith('sign-in'))
  expect(entries).toMatchObject([
    { action: 'sign-in.refused', outcome: 'denied', detail: { path: '/mcp', status: 401 } },
  ])
})

describe('streams of notifications', () => {
  const listen = (url: URL) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN_VERSION,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
            [CLIENT_INFO_META_KEY]: { name: 'listener', version: '1' },
            [CLIENT_CAPABILITIES_META_KEY]: {},
          },
        },
      }),
    })

  it('are recorded', async () => {
    const { url, gateway } = await open({ audit: {} })
    const response = await listen(url)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await response.body?.cancel()
    await gateway.close()
    expect(await audited()).toMatchObject([
      { action: 'subscriptions/listen', outcome: 'ok', client: 'listener' },
    ])
  })

  it('are not opened without an entry if entries are required', async () => {
    const { url } = await open({ audit: { required: true } })
    await rm(join(folder, 'audit'), { recursive: true, force: true })
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(folder, 'audit'), 'not a folder')
    const response = await listen(url)
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32_029 } })
  })
})
