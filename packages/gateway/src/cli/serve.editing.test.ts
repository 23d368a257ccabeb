import type { ChildProcess } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  ApiError,
  ConfigChangeList,
  ConfigChangeReport,
  ConfigUndoReport,
  Overview,
  ServerReport,
  ToolCallReport,
  ToolList,
  ToolReport,
} from '../inspection/api.ts'
import { recorded, type Serving, serving, until } from './serving.fixtures.ts'

let gateway: Serving
let url = ''
let file = ''
let text = ''
let child: ChildProcess

beforeAll(async () => {
  gateway = await serving({ mcpServers: { everything: recorded } })
  file = join(gateway.folder, 'toolsearch.json')
  const servers = { everything: { ...recorded, env: { API_KEY: 'hunter2' } } }
  text = `// My servers\n${JSON.stringify({ mcpServers: servers, toolsearch: { limits: { connectMs: 60_000 } } }, null, 2)}\n`
  await writeFile(file, text)
  const started = await gateway.spawnHttp()
  url = started.url
  child = started.child
  await until(
    () => get<Overview>('/api/overview'),
    ({ servers }) => servers.every(({ state }) => state === 'ready'),
  )
})

afterAll(() => gateway.end())

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(new URL(path, url))).json()) as T
}

async function post<T>(path: string, body: object = {}): Promise<{ status: number; data: T }> {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(new URL(path, url), init)
  return { status: response.status, data: (await response.json()) as T }
}

const deny = { action: 'deny', server: 'everything', tool: 'echo' }

describe('the inspector of toolsearch serve', () => {
  it('shows what an edit would change, without secrets and without writing it', async () => {
    const { status, data } = await post<ConfigChangeReport>('/api/config?dry=1', deny)
    expect(status).toBe(200)
    expect(data).toMatchObject({ title: 'Deny everything/echo', file, isApplied: false })
    expect(data).not.toHaveProperty('undo')
    expect(data.diff.some((line) => line.kind === 'added' && line.text.includes('echo'))).toBe(true)
    expect(JSON.stringify(data)).not.toContain('hunter2')
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('hides a tool, keeps the comments, and undoes it', async () => {
    const { data } = await post<ConfigChangeReport>('/api/config', deny)
    expect(data).toMatchObject({ isApplied: true })
    const edited = await readFile(file, 'utf8')
    expect(edited).toContain('// My servers')
    expect(edited).toContain('hunter2')
    const { tools, hidden } = await get<ToolList>('/api/tools')
    expect(tools.map(({ name }) => name)).not.toContain('everything__echo')
    expect(hidden).toMatchObject([{ server: 'everything', tool: 'echo' }])
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const call = { name: 'everything__echo', arguments: { message: 'hello' } }
    const result = await client.callTool({ name: 'call_destructive_tool', arguments: call })
    expect(result.isError).toBe(true)
    await client.close()

    const { changes } = await get<ConfigChangeList>('/api/config/changes')
    expect(changes).toMatchObject([{ id: data.undo, title: 'Deny everything/echo', files: [file] }])
    const undone = await post<ConfigUndoReport>('/api/config/undo', { id: data.undo })
    expect(undone).toMatchObject({ status: 200, data: { restored: [file], isApplied: true } })
    expect(await readFile(file, 'utf8')).toBe(text)
    expect((await get<ToolList>('/api/tools')).hidden).toEqual([])
    expect(await post('/api/config/undo', { id: data.undo })).toMatchObject({ status: 404 })
  })

  it('pins a tool and gives it a search hint', async () => {
    const tool = { server: 'everything', tool: 'echo' }
    await post('/api/config', { action: 'pin', ...tool })
    await post('/api/config', { action: 'hint', value: 'parrot', ...tool })
    const report = await get<ToolReport>('/api/tools/everything__echo')
    expect(report).toMatchObject({
      isPinned: true,
      searchHint: 'parrot',
      settings: { isPinned: true, hint: 'parrot' },
    })
    await post('/api/config', { action: 'hint', value: null, ...tool })
    await post('/api/config', { action: 'unpin', ...tool })
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('says so if nothing has to change', async () => {
    const edit = { action: 'enable', server: 'everything' }
    const { status, data } = await post<ConfigChangeReport>('/api/config', edit)
    expect(status).toBe(200)
    expect(data).toMatchObject({ diff: [], isApplied: true })
    expect(data).not.toHaveProperty('undo')
  })

  it('never writes a file that the gateway could not read', async () => {
    const value = { name: 7 }
    const edit = { action: 'override', server: 'everything', tool: 'echo', value }
    const { status, data } = await post<ApiError>('/api/config', edit)
    expect(status).toBe(409)
    expect(data.error).toContain('would have an error in line')
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('does not undo a change if somebody edited the file since', async () => {
    const { data } = await post<ConfigChangeReport>('/api/config', deny)
    const edited = `${await readFile(file, 'utf8')}// mine\n`
    await writeFile(file, edited)
    const { status, data: error } = await post<ApiError>('/api/config/undo', { id: data.undo })
    expect(status).toBe(409)
    expect(error.error).toContain('changed since')
    expect(await readFile(file, 'utf8')).toBe(edited)
    await writeFile(file, text)
    await until(
      () => get<ToolList>('/api/tools'),
      ({ hidden }) => hidden.length === 0,
    )
  })

  it('disables and enables a server', async () => {
    const edit = { action: 'disable', server: 'everything' }
    // A file needs a server, but it may be disabled.
    expect((await post<ConfigChangeReport>('/api/config', edit)).data.isApplied).toBe(true)
    const off = await get<Overview>('/api/overview')
    expect(off).toMatchObject({ servers: [], disabledServers: ['everything'] })
    await post('/api/config', { action: 'enable', server: 'everything' })
    const on = await get<Overview>('/api/overview')
    expect(on.servers).toMatchObject([{ name: 'everything', isLocal: true }])
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('restarts a server as a new process', async () => {
    const { status, data } = await post<ServerReport>('/api/servers/everything/restart')
    expect(status).toBe(200)
    expect(data).toMatchObject({ name: 'everything', state: 'ready' })
    expect(data.tools).toBeGreaterThan(5)
  })

  it('calls a tool of a real server', async () => {
    const body = { arguments: { message: 'hello' }, confirm: true }
    const { data } = await post<ToolCallReport>('/api/tools/everything__echo/call', body)
    expect(data.result.content).toMatchObject([{ type: 'text', text: 'Echo: hello' }])
  })
})

describe('toolsearch history', () => {
  it('shows what agents did before the gateway was killed, from files that only the owner can read', async () => {
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    await client.callTool({ name: 'tool_search', arguments: { query: 'xqzv wkjh' } })
    await client.callTool({ name: 'tool_search', arguments: { query: 'xqzv wkjh pqrs' } })
    await client.callTool({ name: 'tool_search', arguments: { query: 'add two numbers' } })
    await client.close()
    await until(
      () => get<{ total: number }>('/api/history?text=wkjh'),
      ({ total }) => total === 2,
    )
    const { history } = await get<Overview>('/api/overview')
    expect((await stat(history!.folder)).mode & 0o777).toBe(0o700)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended

    const shown = await gateway.run('history', 'wkjh', '--since', '1h')
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out.trim().split('\n')).toHaveLength(2)
    expect(shown.out).toContain('agent  searched "xqzv wkjh"')
    const json = await gateway.run('history', '--kind', 'error', '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      total: 1,
      entries: [{ tool: 'everything__echo' }],
    })
    const misses = await gateway.run('misses', '--since', '7d')
    expect(misses.out).toContain('and 1 similar')
    // The last search of a session that ended with its gateway, a moment ago.
    expect(misses.out).toContain('"add two numbers" results unused')
    expect(await gateway.run('history', '--since', 'soon')).toMatchObject({ code: 2 })
    expect((await gateway.run('history', '--client', 'nobody')).err).toContain('None of')
  })
})
