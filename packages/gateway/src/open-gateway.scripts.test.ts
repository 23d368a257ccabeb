import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAuditStore } from './audit/open-audit-store.ts'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'

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
  await rm(folder, { recursive: true, force: true })
})

async function open(toolsearch: ConfigFile['toolsearch'] = {}) {
  const gateway = await openGateway(
    {
      mcpServers: { a: { command: process.execPath, args: ['-e', SERVER] } },
      toolsearch: { scripts: true, ...toolsearch },
    },
    { cacheFolder: false, stateFolder: folder, onWarning: () => {} },
  )
  opened.push(gateway)
  await gateway.ready()
  const { url } = await gateway.serveHttp()
  return { gateway, url: new URL(url) }
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
    const { internals } = gateway
    await gateway.close()
    const store = openAuditStore(internals.config.audit!, {
      file: internals.file,
      stateFolder: folder,
    })
    const entries = (await store.query({}, { limit: 100 })).entries.filter(
      ({ script }) => script !== undefined,
    )
    await store.close()
    const outcomes = entries.map(({ target, outcome }) => `${target?.name} ${outcome}`).sort()
    expect(outcomes).toEqual(['echo limited', 'echo ok', 'echo ok', 'run_read_script ok'])
    expect(new Set(entries.map(({ script }) => script)).size).toBe(1)
  })

  it('lose a right in the middle', async () => {
    const { gateway, url } = await open()
    const client = new Client({ name: 'm', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(url))
    const { config, gateway: inner } = gateway.internals
    const stop = gateway.internals.servers.upstreams.get('a')!
    const request = stop.request.bind(stop)
    // The rules change while the first call runs.
    Object.assign(stop, {
      request: async (...args: Parameters<typeof request>) => {
        const result = await request(...args)
        inner.configure({ ...config, deny: ['other'] })
        return result
      },
    })
    const script = 'await tools.a__echo({}); return await tools.a__other({})'
    const text = textOf(await client.callTool(call(script)))
    expect(text).toContain('a__other')
    expect(text).toContain('done: a__echo; failed: a__other')
    await client.close()
  })
})
