import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AuditEntry } from './audit/audit-entry.ts'
import { openAuditStore } from './audit/open-audit-store.ts'
import { everything, modern as modernUpstream } from './cli/serving.fixtures.ts'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'
import { startCollector } from './telemetry/collector.fixtures.ts'

/** Returns what it receives. */
const SERVER = `
  const annotations = { readOnlyHint: true }
  const tools = ['echo', 'other'].map((name) => ({ name, inputSchema: { type: 'object' }, annotations }))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const serverInfo = { name: 'x', version: '1' }
    const result =
      method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
      : method === 'tools/list' ? { tools }
      : { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
    const known = ['initialize', 'tools/list', 'tools/call', 'ping'].includes(method)
    const answer = known ? { result } : { error: { code: -32601, message: 'Unknown method' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

let folder: string
const opened: OpenGateway[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-scripts-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()))
})

async function open(toolsearch: ConfigFile['toolsearch'] = {}, servers: object = {}) {
  const gateway = await openGateway(
    {
      mcpServers: { a: { command: process.execPath, args: ['-e', SERVER] }, ...servers },
      toolsearch: { scripts: true, ...toolsearch },
    },
    { cacheFolder: false, stateFolder: folder, onWarning: () => {} },
  )
  opened.push(gateway)
  await gateway.ready()
  const { url } = await gateway.serveHttp()
  return { gateway, url: new URL(url) }
}

/** What the server receives, by the names of its tools. `onCall` runs after each call. */
function watchServer({ internals }: OpenGateway, onCall = async () => {}): string[] {
  const upstream = internals.servers.upstreams.get('a')!
  const request = upstream.request.bind(upstream)
  const received: string[] = []
  Object.assign(upstream, {
    request: async (...args: Parameters<typeof request>) => {
      received.push(String((args[1] as { name?: unknown }).name))
      const result = await request(...args)
      await onCall()
      return result
    },
  })
  return received
}

/** Closes the gateway, and returns what it has recorded. */
async function audited(
  gateway: OpenGateway,
  isWanted: (entry: AuditEntry) => boolean,
): Promise<AuditEntry[]> {
  const { config, file } = gateway.internals
  await gateway.close()
  const store = openAuditStore(config.audit!, { file, stateFolder: folder })
  const { entries } = await store.query({}, { limit: 100 })
  await store.close()
  return entries.filter(isWanted)
}

async function connect(url: URL, options: object = {}): Promise<Client> {
  const client = new Client(
    { name: 'm', version: '1' },
    { versionNegotiation: { mode: 'auto' }, ...options },
  )
  await client.connect(new StreamableHTTPClientTransport(url))
  onTestFinished(() => client.close())
  return client
}

const call = (script: string) => ({ name: 'run_read_script', arguments: { script } })
const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join()

describe('scripts over HTTP', () => {
  it.each([true, false])('run for clients of both protocols (shortcut: %s)', async (shortcut) => {
    const { url } = await open({ shortcut })
    const script =
      'const all = await Promise.all([1, 2].map((n) => tools.a__echo({ n }))); return all.map(({ n }) => n * 2)'
    const modern = new Client({ name: 'm', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await modern.connect(new StreamableHTTPClientTransport(url))
    expect(textOf(await modern.callTool(call(script)))).toBe('[2,4]')
    const unknown = textOf(await modern.callTool(call('await tools.nothing_like_it()')))
    expect(unknown.match(/tool_search/g)).toHaveLength(1)
    await modern.close()
    const legacy = new ClientV1({ name: 'l', version: '1' })
    await legacy.connect(new TransportV1(url) as never)
    const progress: unknown[] = []
    const onprogress = ({ message }: { message?: string | undefined }) => progress.push(message)
    const result = await legacy.callTool(call(script), undefined, { onprogress })
    expect(textOf(result)).toBe('[2,4]')
    expect(progress).toEqual(['1 call done: a__echo', '2 calls done: a__echo'])
    await legacy.close()
  })

  it('pass limits and the audit log with every call', async () => {
    const rateLimits = [{ each: 'person', per: 'hour', calls: 2, tools: ['a/echo'] }] as const
    const { gateway, url } = await open({ audit: {}, rateLimits })
    const client = new Client({ name: 'm', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(url))
    const script = `
      const found = []
      for (let n = 0; n < 3; n++) try { found.push(await tools.a__echo({ n })) } catch (error) {
        found.push([error.name, error.retryAfterMs > 0])
      }
      return found`
    expect(JSON.parse(textOf(await client.callTool(call(script))))).toEqual([
      { n: 0 },
      { n: 1 },
      ['ToolError', true],
    ])
    await client.close()
    const entries = await audited(gateway, ({ script }) => script !== undefined)
    const outcomes = entries.map(({ target, outcome }) => `${target?.name} ${outcome}`).sort()
    expect(outcomes).toEqual(['echo limited', 'echo ok', 'echo ok', 'run_read_script ok'])
    expect(new Set(entries.map(({ script }) => script)).size).toBe(1)
  })

  it('lose a right in the middle', async () => {
    const { gateway, url } = await open()
    const client = new Client({ name: 'm', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(url))
    const { config, gateway: inner } = gateway.internals
    // The rules change while the first call runs.
    watchServer(gateway, async () => inner.configure({ ...config, deny: ['other'] }))
    const script = 'await tools.a__echo({}); return await tools.a__other({})'
    const text = textOf(await client.callTool(call(script)))
    expect(text).toContain('a__other')
    expect(text).toContain('done: a__echo; failed: a__other')
    await client.close()
  })

  it('obey rules about arguments', async () => {
    const access = {
      rules: [{ allow: ['a/other'] }, { allow: ['a/echo'], arguments: { path: ['public/*'] } }],
    }
    const { gateway, url } = await open({ access, audit: {} })
    const received = watchServer(gateway)
    const client = await connect(url)
    const script = `
      const found = []
      for (const path of ['public/a', 'private/b']) try { found.push((await tools.a__echo({ path })).path) } catch (error) {
        found.push(error.message)
      }
      return found`
    const [allowed, refused] = JSON.parse(textOf(await client.callTool(call(script))))
    expect([allowed, received]).toEqual(['public/a', ['echo']])
    expect(refused).toBe(
      'The call was not executed: these arguments of "a__echo" are not permitted for you.',
    )
    const denied = await audited(gateway, (entry) => entry.outcome === 'denied')
    expect(denied).toMatchObject([{ target: { name: 'echo' }, script: expect.any(String) }])
  })

  it('execute nothing whose entry must be stored but cannot be', async () => {
    const { gateway, url } = await open({ audit: { required: true } })
    const breakStore = async () => {
      await rm(join(folder, 'audit'), { recursive: true, force: true })
      await writeFile(join(folder, 'audit'), 'not a folder')
    }
    const received = watchServer(gateway, breakStore)
    const client = await connect(url)
    const script = `
      try { await tools.a__echo({}) } catch {}
      try { await tools.a__other({}) } catch {}
      return 'done'`
    const first = await client.callTool(call(script))
    // The first call broke the store. The second one was not executed, and the model gets no result.
    expect(received).toEqual(['echo'])
    expect(first.isError).toBe(true)
    expect(textOf(first)).toContain('withheld')
    const second = await client.callTool(call(script))
    expect(textOf(second)).toContain('cannot write its audit log')
    expect(received).toEqual(['echo'])
    await rm(join(folder, 'audit'))
    expect((await client.callTool(call('return 1'))).isError).toBeFalsy()
  })

  it('are the parents of their calls in traces', async () => {
    const collector = await startCollector()
    onTestFinished(() => collector.close())
    const { gateway, url } = await open({ telemetry: { otlpUrl: collector.url } })
    const client = await connect(url)
    // Its thread runs the next script, too, whose calls must not belong to this trace.
    await client.callTool(call('await tools.a__echo({})'))
    const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
    const script =
      'await tools.a__echo({}); await Promise.all([tools.a__other({}), tools.a__echo({})])'
    await client.callTool({ ...call(script), _meta: { traceparent } } as never)
    await client.close()
    await gateway.close()
    const spans = collector.spans().filter(({ traceId }) => traceId === '1'.repeat(32))
    const ran = spans.find(({ name }) => name === 'tools/call run_read_script')!
    expect(ran.parentSpanId).toBe('2222222222222222')
    const inner = spans.filter(({ kind, spanId }) => kind === 2 && spanId !== ran.spanId)
    expect(inner.map(({ name, parentSpanId }) => [name, parentSpanId]).sort()).toEqual([
      ['tools/call echo', ran.spanId],
      ['tools/call echo', ran.spanId],
      ['tools/call other', ran.spanId],
    ])
    const sent = spans.filter(({ kind }) => kind === 3).map(({ parentSpanId }) => parentSpanId)
    expect(sent.sort()).toEqual(inner.map(({ spanId }) => spanId).sort())
  })

  it('let a modern client answer questions of legacy and modern servers', async () => {
    const { url } = await open({}, { everything, modern: modernUpstream })
    const client = await connect(url, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: { form: {} } },
    })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { name: 'Ada', ok: true } }
    })
    const script = `
      const first = await tools['everything__trigger-elicitation-request']({})
      const second = await tools.modern__ask({})
      const third = await tools.everything__trigger_elicitation_request()
      return [first, second, third].map((each) => JSON.stringify(each))`
    const result = await client.callTool({
      name: 'run_destructive_script',
      arguments: { script },
    })
    const [first, , third] = JSON.parse(textOf(result))
    expect(first).toContain('Ada')
    expect(third).toContain('Ada')
    expect(asked).toHaveLength(3)
    expect(asked[1]).toBe('Sure?')
  })
})
