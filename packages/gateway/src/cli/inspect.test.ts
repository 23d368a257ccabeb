import { createServer } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActivityReport, LiveEvent, MissReport, Overview } from '../inspection/api.ts'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { readEvents } from './ask-gateway.ts'
import { recorded, type Serving, serving, until } from './serving.fixtures.ts'

const faultyEntry = { ...faultyServer().connection, kind: undefined }
let gateway: Serving
let url = ''

beforeAll(async () => {
  gateway = await serving({ mcpServers: { everything: recorded, faulty: faultyEntry } })
  url = (await gateway.http()).url
  const asked = async () => (await (await fetch(new URL('/api/overview', url))).json()) as Overview
  await until(asked, ({ servers }) => servers.every(({ state }) => state === 'ready'))
})

afterAll(() => gateway.end())

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(new URL(path, url))).json()) as T
}

const search = (query: string) => ({ name: 'tool_search', arguments: { query } })

describe('serve --http', () => {
  it('records clients of both protocol versions separately', async () => {
    const newer = new Client({ name: 'newer', version: '1' })
    await newer.connect(new StreamableHTTPClientTransport(new URL(url)))
    const older = new OldClient({ name: 'older', version: '1' })
    await older.connect(new OldHttp(new URL(url)) as never)
    await newer.callTool(search('sum of two numbers'))
    await older.callTool(search('repaint the garage'))
    const inner = { name: 'everything__get-sum', arguments: { a: 2, b: 3 } }
    await newer.callTool({ name: 'call_destructive_tool', arguments: inner })
    const report = await until(
      () => get<ActivityReport>('/api/activity'),
      ({ events }) => events.length >= 3,
    )
    const of = (name: string) => report.sessions.find(({ client }) => client === name)!
    expect(of('newer')).toMatchObject({ transport: 'http', isOpen: true, searches: 1, calls: 1 })
    expect(of('newer').loaded.map(({ name }) => name)).toContain('everything__get-sum')
    expect(of('older')).toMatchObject({ isOpen: true, searches: 1, calls: 0, loaded: [] })
    expect(of('newer').id).not.toBe(of('older').id)
    const misses = await get<MissReport>('/api/misses')
    expect(misses.searches).toMatchObject([{ query: 'repaint the garage', kind: 'low-confidence' }])
    await newer.close()
    await older.close()
  })

  it('pushes an event when a server dies', async () => {
    const stop = new AbortController()
    const response = await fetch(new URL('/api/events', url), { signal: stop.signal })
    const client = new Client({ name: 'killer', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const inner = { name: 'faulty__crash', arguments: {} }
    void client.callTool({ name: 'call_destructive_tool', arguments: inner }).catch(() => {})
    const states = new Set<string>()
    for await (const event of readEvents<LiveEvent>(response)) {
      if (event.kind !== 'servers') continue
      const { state } = event.servers.find(({ name }) => name === 'faulty')!
      states.add(state)
      if (states.size > 1) break
    }
    expect(states).toContain('ready')
    stop.abort()
    await client.close()
  })

  it('answers the commands live and misses, as text and as JSON', async () => {
    const live = await gateway.run('live', '--url', url)
    expect(live).toMatchObject({ code: 0 })
    expect(live.out).toContain('searched "repaint the garage"')
    expect(live.out).toContain('called everything__get-sum')
    expect(live.out).toContain('tokens saved')
    const data = await gateway.run('live', '--url', url, '--json')
    expect(JSON.parse(data.out).events.length).toBeGreaterThanOrEqual(3)
    const { id } = JSON.parse(data.out).sessions.find(
      ({ client }: { client: string }) => client === 'newer',
    )
    const session = await gateway.run('live', '--url', url, '--session', id)
    expect(session.out).toMatch(
      /everything__get-sum {2}\d+ tokens, 1 call, found by "sum of two numbers"/,
    )
    expect(session.out).not.toContain('repaint the garage')
    const misses = await gateway.run('misses', '--url', url)
    expect(misses.code).toBe(0)
    expect(misses.out).toContain('"repaint the garage" found nothing sure: ')
    expect(misses.err).toContain('Tools that no search found are listed after 20 searches.')
    const { until: _, ...missed } = JSON.parse(
      (await gateway.run('misses', '--url', url, '--json')).out,
    )
    expect(await get('/api/misses')).toMatchObject(missed)
  })

  it('streams events to live --follow, which ends when the gateway stops', async () => {
    const other = await serving({ mcpServers: { faulty: faultyEntry } })
    const short = await other.http()
    const live = other.start('live', '--url', short.url, '--follow', '--json')
    await expect.poll(() => live.out).toContain('\n')
    expect(JSON.parse(live.out.split('\n')[0]!)).toMatchObject({ kind: 'tools' })
    short.command.kill()
    expect(await live.ended).toMatchObject({ code: 0, err: 'The gateway stopped.\n' })
    await other.end()
  })

  it('explains what to do if the port is in use or a token is missing', async () => {
    const { port } = new URL(url)
    const taken = await gateway.run('serve', '--http', '--port', port)
    expect(taken).toMatchObject({ code: 2 })
    expect(taken.err).toContain(`Port ${port} is already in use. Choose another with --port.`)
    const open = await gateway.run('serve', '--http', '--host', '0.0.0.0')
    expect(open).toMatchObject({ code: 2 })
    expect(open.err).toMatch(/^Other machines can reach 0.0.0.0, so a token is required/)
  })

  it('explains what to do if no gateway is running or the URL is invalid', async () => {
    const none = await gateway.run('live', '--url', 'http://127.0.0.1:1')
    expect(none).toMatchObject({ code: 1 })
    expect(none.err).toContain('Start one with toolsearch serve --http')
    const wrong = await gateway.run('misses', '--url', 'nonsense')
    expect(wrong.err).toContain('Invalid --url "nonsense"')
  })
})

describe('search --save and eval', () => {
  it('save queries next to the configuration and evaluate them', async () => {
    expect((await gateway.run('eval')).err).toContain('toolsearch search QUERY --save TOOL')
    const query = ['search', 'add two numbers', '--ranker', 'bm25']
    const saved = await gateway.run(...query, '--save', 'everything__get-sum')
    expect(saved.err).toContain('toolsearch.queries.jsonl')
    const evaluated = await gateway.run('eval', '--ranker', 'unified')
    expect(evaluated).toMatchObject({ code: 0 })
    expect(evaluated.out).toContain('1 query')
    await gateway.run('search', 'zebra crossing', '--save', 'everything__get-sum')
    const missed = await gateway.run('eval')
    expect(missed.out).toContain('missed "zebra crossing": expected everything__get-sum, found ')
  })

  it('show near misses, and why a tool is not returned', async () => {
    const query = ['search', 'add two numbers', '--limit', '1', '--ranker', 'unified']
    const explained = await gateway.run(...query, '--explain', '--why', 'everything__echo')
    expect(explained.out).toContain('Near misses:')
    expect(explained.out).toMatch(/\neverything__echo .+\n$/)
    const json = await gateway.run(...query, '--json', '--why', 'everything__echo')
    expect(JSON.parse(json.out)).toMatchObject({ why: { tool: 'everything__echo' } })
    const unknown = await gateway.run(...query, '--why', 'everything__eco')
    expect(unknown).toMatchObject({ code: 2, out: '' })
    expect(unknown.err).toContain(
      'There is no tool "everything__eco". Did you mean everything__echo?',
    )
  })

  it('reject an unknown tool or ranker', async () => {
    const unknown = await gateway.run('search', 'add two numbers', '--save', 'none')
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.err).toContain('There is no tool "none"')
    const magic = await gateway.run('search', 'x', '--ranker', 'magic')
    expect(magic).toMatchObject({ code: 2 })
    expect(magic.err).toContain('Available rankers: unified, hybrid')
  })
})

describe('serve --inspect', () => {
  it('serves over stdio, and the inspector over HTTP', async () => {
    const port = await freePort()
    const client = new Client({ name: 'editor', version: '1' })
    await client.connect(gateway.pipe('--inspect', String(port)))
    await client.callTool(search('sum of two numbers'))
    const ask = async <T>(path: string) =>
      (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as T
    const report = await until(
      // The inspector starts after the client's connection.
      () => ask<ActivityReport>('/api/activity').catch(() => undefined),
      (report) => report !== undefined && report.events.length > 0,
    )
    expect(report?.sessions).toMatchObject([{ client: 'editor', transport: 'stdio', searches: 1 }])
    const overview = await ask<Overview>('/api/overview')
    expect(overview.url).toBeUndefined()
    expect(overview.snippet).toContain('"serve"')
    expect(JSON.parse(overview.snippet).mcpServers.toolsearch.args).toContain('--inspect')
    expect((await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST' })).status).toBe(404)
    await client.close()
  })

  it('serves the client even if the inspector port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const client = new Client({ name: 'editor', version: '1' })
    await client.connect(gateway.pipe('--inspect', String(port)))
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
    taken.close()
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
