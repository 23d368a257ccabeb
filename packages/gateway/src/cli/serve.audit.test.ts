import { once } from 'node:events'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../audit/audit-entry.ts'
import type { AuditFilter } from '../audit/audit-store.ts'
import { openAuditForCommand } from './open-audit-for-command.ts'
import { type Serving, serving } from './serving.fixtures.ts'

/** `hang` never answers; the other tools do at once. */
const SERVER = `
  const tools = ['hang', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  let calls = 0
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined || params?.name === 'hang') return
    const serverInfo = { name: 'x', version: '1' }
    if (method === 'tools/call') calls += 1
    const result =
      method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
      : method === 'tools/list' ? { tools }
      : { content: [{ type: 'text', text: 'call ' + calls }] }
    const known = ['initialize', 'tools/list', 'tools/call', 'ping'].includes(method)
    const answer = known ? { result } : { error: { code: -32601, message: 'Unknown method' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

vi.setConfig({ testTimeout: 120_000 })

let served: Serving
beforeEach(async () => {
  served = await serving({ mcpServers: {} })
})
afterEach(() => served.end())

function writeConfig(toolsearch: object): Promise<void> {
  return served.write({
    mcpServers: { odd: { command: process.execPath, args: ['-e', SERVER] } },
    toolsearch: { mode: 'passthrough', ranking: 'words', ...toolsearch },
  })
}

async function start(toolsearch: object) {
  await writeConfig(toolsearch)
  const { url, command } = await served.http()
  return { url, command, ...(await connect(url)) }
}

async function connect(url: string) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const call = (name: string) => client.callTool({ name: `odd__${name}`, arguments: {} })
  return { client, call }
}

/** Latest first. In this process, because starting a command takes long. */
async function audited(filter: AuditFilter): Promise<readonly AuditEntry[]> {
  const { env, folder } = served
  const config = join(folder, 'toolsearch.json')
  const { store, close } = await openAuditForCommand({ values: { config }, env, cwd: folder })
  try {
    return (await store.query(filter, { limit: 100 })).entries
  } finally {
    await close()
  }
}

it('a replica records edits of the configuration file by setting', async () => {
  const settings = { audit: {}, access: { rules: [{ allow: ['*'] }, { deny: ['hang'] }] } }
  const { command, client } = await start(settings)
  await writeConfig({
    ...settings,
    access: { rules: [{ allow: ['*'] }] },
    rateLimits: [{ each: 'person', calls: 1_000, per: 'day' }],
  })
  await expect
    .poll(() => audited({ action: 'config.reload' }))
    .toMatchObject([
      {
        person: 'file',
        outcome: 'ok',
        detail: {
          added: ['toolsearch.rateLimits'],
          removed: ['toolsearch.access.rules[1]'],
          changed: [],
        },
      },
    ])
  await served.write({ mcpServers: [] })
  await expect.poll(() => command.err).toContain('has errors')
  // The command that reads the log needs a valid file.
  await writeConfig(settings)
  await expect
    .poll(() => audited({ action: 'config.reload', outcome: 'failed' }))
    .toMatchObject([{ person: 'file', error: expect.stringContaining('has errors') }])
  await client.close()
})

it('a replica records what a person does in the inspector once, and calls when they start', async () => {
  const { url, client } = await start({ audit: {} })
  await client.listTools()
  const post = (path: string, body: object, signal: AbortSignal | null = null) =>
    fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body), signal })
  const edit = await post('/api/config', { action: 'deny', server: 'odd', tool: 'echo' })
  expect(await edit.json()).toMatchObject({ isApplied: true })
  await expect.poll(() => audited({ action: 'config.edit' })).toHaveLength(1)
  const abandoned = new AbortController()
  const call = { arguments: {}, confirm: true }
  post('/api/tools/odd__hang/call', call, abandoned.signal).catch(() => {})
  await expect
    .poll(() => audited({ tool: 'odd/hang' }))
    .toMatchObject([{ outcome: 'unknown', client: 'inspector' }])
  abandoned.abort()
  expect(await audited({ action: 'config.reload' })).toEqual([])
  await client.close()
})

it('a replica that is killed leaves a trace of its calls', async () => {
  await writeConfig({ audit: {} })
  const { url, child } = await served.spawnHttp()
  const { client, call } = await connect(url)
  const pid = child.pid!
  await client.listTools()
  call('hang').catch(() => {})
  await call('echo')
  await expect
    .poll(() => audited({ outcome: 'unknown' }))
    .toMatchObject([{ action: 'tools/call', target: { server: 'odd', name: 'hang' } }])
  await expect.poll(() => audited({ tool: 'odd/echo' })).toMatchObject([{ outcome: 'ok' }])
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await client.close().catch(() => {})
  const [cutOff] = await audited({ tool: 'odd/hang' })
  expect(cutOff).toMatchObject({ outcome: 'unknown', client: 'test' })
  expect(cutOff!.replica).toMatch(new RegExp(`:${pid}$`))
  const { out } = await served.run('audit', '--tool', 'odd/hang')
  expect(out).toContain(`unknown: no end recorded by ${cutOff!.replica}`)
})
