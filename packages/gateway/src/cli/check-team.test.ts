import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../../testing/services/free-port.ts'
import { stdioNote } from './check-team.ts'
import { type Serving, serving } from './serving.fixtures.ts'

const program = join(import.meta.dirname, '../upstreams/fixtures/odd-server.mjs')
const odd = { command: process.execPath, args: [program] }
let gateway: Serving
let port: number
beforeAll(async () => {
  port = await freePort()
  gateway = await serving({ mcpServers: { odd } })
})
afterAll(() => gateway.end())

it('reports settings for a team that cannot work, with file and line', async () => {
  const nowhere = `127.0.0.1:${port}`
  const config = {
    mcpServers: { odd },
    toolsearch: {
      identity: { url: 'http://localhost:7777', issuers: [{ issuer: `http://${nowhere}` }] },
      access: { rules: [{ allow: ['*'], groups: ['staff'] }] },
      encryption: { keyFile: 'short.key' },
      state: { redis: `redis://${nowhere}`, postgres: `postgres://u:secret@${nowhere}/x` },
    },
  }
  await writeFile(join(gateway.folder, 'toolsearch.json'), JSON.stringify(config, null, 2))
  await writeFile(join(gateway.folder, 'short.key'), 'short', { mode: 0o600 })
  const { code, out } = await gateway.run('doctor')
  expect(code).toBe(1)
  expect(out).toMatch(
    /toolsearch.json:\d+ toolsearch.identity.issuers\[0\].issuer: .*cannot be used/,
  )
  expect(out).toMatch(/toolsearch.json:\d+ toolsearch.encryption: The key file .* must be 32 bytes/)
  expect(out).toMatch(/toolsearch.json:\d+ toolsearch.state.redis: Redis cannot be reached/)
  expect(out).not.toContain('Over stdio')
})

it('waits for PostgreSQL at the start, refuses requests meanwhile, and says so', async () => {
  const [free, nowhere] = [await freePort(), await freePort()]
  await gateway.write({
    mcpServers: { odd },
    toolsearch: { state: { postgres: `postgres://u:secret@127.0.0.1:${nowhere}/x` } },
  })
  const command = gateway.start('serve', '--http', '--port', String(free))
  const answer = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${free}${path}`).catch(() => undefined)
    return response && { status: response.status, body: await response.json() }
  }
  await expect
    .poll(() => answer('/readyz'))
    .toEqual({ status: 503, body: { status: 'unavailable', missing: ['postgres'] } })
  expect(await answer('/healthz')).toMatchObject({ status: 200 })
  expect(await answer('/mcp')).toMatchObject({ status: 503 })
  expect(command.err).toContain(
    'The gateway keeps trying, and starts when PostgreSQL can be reached',
  )
  expect(command.err).not.toContain('secret')
  command.kill('SIGTERM')
  await expect.poll(() => command.code).toBe(0)
})

it('reports a mistake in the entry of a server with credentials of people', async () => {
  const exchange = { tokenUrl: 'https://login.example.com/token', clientId: 'x' }
  await gateway.write({
    mcpServers: { odd, orders: { ...odd, toolsearch: { credentials: { exchange } } } },
    toolsearch: { identity: { url: 'https://tools.example.com' } },
  })
  const { code, out } = await gateway.run('doctor')
  expect(code).toBe(1)
  expect(out).toContain('orders: failed')
  expect(out).toContain('tokens can only be sent to a url')
})

it('notes over stdio which rules never apply', () => {
  const rule = { allow: ['*'] }
  const rules = [{ ...rule, groups: ['staff'] }, rule]
  expect(stdioNote({ access: { rules, cedar: [] } })).toContain('rules[0] never applies')
  expect(stdioNote({ access: { rules: [rule], cedar: [] } })).toBeUndefined()
})

it('counts servers with credentials of people when it starts', async () => {
  await gateway.write({
    mcpServers: { odd, mine: { ...odd, toolsearch: { credentials: 'person' } } },
    toolsearch: { identity: { url: 'https://tools.example.com' } },
  })
  const command = gateway.start('serve', '--http', '--port', '0')
  await expect.poll(() => command.err).toContain('Serving 2 servers at')
  command.kill('SIGTERM')
  await expect.poll(() => command.code).toBe(0)
})
