import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../../testing/services/free-port.ts'
import { type PostgresServer, startPostgres } from '../../../../testing/services/start-postgres.ts'
import { type Serving, serving } from './serving.fixtures.ts'

const program = join(import.meta.dirname, '../upstreams/fixtures/odd-server.mjs')

// Many commands, one after the other.
vi.setConfig({ testTimeout: 300_000 })

let postgres: PostgresServer
let served: Serving
/** As on another machine: with the same configuration and folders of its own. */
let elsewhere: Serving
beforeAll(async () => {
  postgres = await startPostgres()
  const url = new URL(await postgres.freshDatabase())
  url.password = 'hunter2'
  const config = {
    mcpServers: {
      odd: { command: process.execPath, args: [program], env: { DESCRIPTION: 'Adds numbers' } },
    },
    toolsearch: {
      ranking: 'words',
      identity: { url: 'http://localhost:7777' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the configuration
      state: { postgres: '${DATABASE_URL}' },
    },
  }
  served = await serving(config)
  elsewhere = await serving(config)
  for (const each of [served, elsewhere]) each.env.DATABASE_URL = url.href
})
afterAll(async () => {
  await Promise.all([served.end(), elsewhere.end()])
  await postgres.close()
})

async function createKey(): Promise<{ key: string; id: string }> {
  const created = await served.run('keys', 'create', 'test', '--role', 'administrator', '--json')
  expect(created.code, created.err).toBe(0)
  return JSON.parse(created.out)
}

it('commands and gateways of different machines share keys, decisions, history and saved queries', async () => {
  const { key, id } = await createKey()
  const { url } = await elsewhere.http()
  const api = (path: string, init?: RequestInit) =>
    fetch(new URL(path, url), { ...init, headers: { authorization: `Bearer ${key}` } })
  const tool = async () => (await api('/api/tools/odd__odd_0')).text()
  await expect.poll(async () => (await api('/readyz')).status).toBe(200)
  await expect.poll(tool).toContain('Adds numbers')
  expect(await tool()).not.toContain('blocked')

  // a decision of a command
  const blocked = await served.run('block', 'odd__odd_0')
  expect(blocked.code, blocked.err).toBe(0)
  await expect.poll(tool).toContain('blocked')

  // saved queries
  const saved = await served.run('search', 'add numbers', '--save', 'odd__odd_0')
  expect(saved.err).toContain('Saved in PostgreSQL')
  expect(await (await api('/api/saved')).json()).toMatchObject({
    queries: [{ query: 'add numbers' }],
  })
  expect((await elsewhere.run('eval', '--json')).out).toContain('add numbers')

  // history
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'tool_search',
      arguments: { query: 'a needle in a haystack' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'tool_search',
  }
  const answer = await fetch(url, { method: 'POST', headers, body })
  expect(answer.status, await answer.text()).toBe(200)
  await expect
    .poll(async () => (await served.run('history', '--json')).out)
    .toContain('a needle in a haystack')

  // a key that is revoked elsewhere
  expect((await served.run('keys', 'revoke', id)).code).toBe(0)
  await expect.poll(async () => (await api('/api/overview')).status).toBe(401)

  for (const { folder } of [served, elsewhere]) {
    const files = await readdir(folder, { recursive: true })
    expect(files.filter((file) => /approvals|keys|history\/|queries\.jsonl/.test(file))).toEqual([])
  }
})

it('says what is wrong while the database cannot be reached, and recovers without a restart', async () => {
  const { key } = await createKey()
  const { url, command } = await elsewhere.http()
  const overview = async () => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(new URL('/api/overview', url), { headers })).status
  }
  const health = async () => (await fetch(new URL('/readyz', url))).json()
  const ready = async () => (await fetch(new URL('/readyz', url))).status
  await expect.poll(ready).toBe(200)
  expect(await overview()).toBe(200)

  await postgres.stop()
  expect(await ready()).toBe(503)
  expect(await health()).toMatchObject({ status: 'unavailable', missing: ['postgres'] })
  // Nobody knows whether the key was revoked.
  await expect.poll(overview).toBe(503)
  for (const args of [
    ['keys', 'list'],
    ['block', 'odd__odd_0'],
    ['history'],
    ['eval'],
    ['audit'],
    // A client over stdio shows what its server writes, and cannot wait for long.
    ['serve'],
  ]) {
    const { code, err } = await served.run(...args)
    expect(err, args.join(' ')).toContain('PostgreSQL is not available')
    expect(err).not.toContain('hunter2')
    expect(err).toContain('correct "toolsearch.state.postgres"')
    expect(err).not.toContain('--help')
    expect(code).toBe(1)
  }
  const doctor = await served.run('doctor')
  expect(doctor.code).toBe(1)
  expect(doctor.out).toMatch(/toolsearch\.state\.postgres: PostgreSQL is not available/)
  expect(doctor.out).toMatch(/^✓ odd: \d+ tools?$/m)

  await postgres.start()
  await expect.poll(ready).toBe(200)
  await expect.poll(overview).toBe(200)
  expect(command.err.match(/PostgreSQL can\w* be used.*/g)).toEqual([
    'PostgreSQL cannot be used. The gateway keeps trying.',
    'PostgreSQL can be used again.',
  ])
  expect((await served.run('keys', 'list')).out).toContain('test')
})

it('starts without the database, and serves once it can be reached', async () => {
  const { key } = await createKey()
  await postgres.stop()
  const port = String(await freePort())
  const command = served.start('serve', '--http', '--port', port)
  const status = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(
      () => undefined,
    )
    return answer?.status
  }
  await expect.poll(() => status('/readyz')).toBe(503)
  expect(await status('/healthz')).toBe(200)
  expect(await status('/api/overview')).toBe(503)

  await postgres.start()
  await expect.poll(() => status('/readyz')).toBe(200)
  expect(await status('/api/overview')).toBe(200)
  expect(command.err.match(/PostgreSQL is not available/g)).toHaveLength(1)
  expect(command.err).toContain('Serving 1 server')
})
