import { once } from 'node:events'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../../testing/services/start-postgres.ts'
import type { AuditEntry } from '../audit/audit-entry.ts'
import type { AuditFilter } from '../audit/audit-store.ts'
import { openAuditForCommand } from './open-audit-for-command.ts'
import { type Serving, serving, textOf } from './serving.fixtures.ts'

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

let postgres: PostgresServer
let served: Serving
beforeAll(async () => {
  postgres = await startPostgres()
})
beforeEach(async () => {
  served = await serving({ mcpServers: {} })
})
afterEach(() => served.end())
afterAll(() => postgres.close())

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

async function administer(url: string, statements: readonly string[]): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

it('a replica that is killed leaves a trace of its calls in PostgreSQL', async () => {
  await writeConfig({ audit: {}, state: { postgres: await postgres.freshDatabase() } })
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

it('a replica executes nothing while PostgreSQL is down or read-only, if entries are required', async () => {
  const state = { postgres: await postgres.freshDatabase() }
  const { url, call, client } = await start({ audit: { required: true }, state })
  expect(textOf(await call('echo'))).toBe('call 1')
  const ready = async () => (await fetch(new URL('/readyz', url))).status
  await postgres.stop()
  expect(textOf(await call('echo'))).toContain('cannot write its audit log')
  await postgres.start()
  await expect.poll(ready).toBe(200)
  // What was refused has not reached the server.
  await expect.poll(async () => textOf(await call('echo'))).toBe('call 2')

  // Like a full disk: it answers, and stores nothing.
  const setReadOnly = (value: string) =>
    administer(state.postgres, [
      'set default_transaction_read_only = off',
      `alter system set default_transaction_read_only = ${value}`,
      'select pg_reload_conf()',
    ])
  await setReadOnly('on')
  await expect.poll(async () => textOf(await call('echo'))).toContain('cannot write its audit log')
  await setReadOnly('off')
  await expect.poll(async () => textOf(await call('echo'))).not.toContain('cannot write')
  await client.close()
})
