import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../testing/services/free-port.ts'
import type { TeamConfig } from './config/team-config.ts'
import { ConfigError, type OpenGateway, openGateway } from './open-gateway.ts'
import { referenceServer } from './upstreams/fixtures/servers.fixtures.ts'

let folder = ''
let policies = ''
let gateway: OpenGateway
let url = ''
const clients: Client[] = []

const entry = { command: process.execPath, args: [referenceServer('everything')] }
const rules = [
  { allow: ['public/*'] },
  { allow: ['private/*'], groups: ['staff'] },
  { allow: ['private/echo'], groups: ['guests'], arguments: { message: ['hello*'] } },
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-team-access-'))
  policies = join(folder, 'team.cedar')
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  gateway = await openGateway(
    {
      mcpServers: { public: entry, private: entry },
      toolsearch: {
        mode: 'passthrough',
        ranking: 'words',
        identity: { url },
        access: { rules },
        profiles: { private: { servers: ['private'] } },
      },
    },
    { cacheFolder: false, stateFolder: join(folder, 'state') },
  )
  await gateway.ready()
  await gateway.serveHttp({ port })
})

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await gateway.close()
})

async function connect(groups: string[], { path = '/mcp', allow = [] as string[] } = {}) {
  const keys = gateway.internals.apiKeys!
  const { key, stored } = await keys.create({
    name: 'test',
    groups,
    role: 'member',
    ...(allow.length > 0 && { scope: { allow } }),
  })
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, url), { requestInit: { headers } }),
  )
  clients.push(client)
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  return { client, names, revoke: () => keys.revoke(stored.id) }
}

/** Applies other rules, as an edit of the file does. */
function configure(access: Partial<NonNullable<TeamConfig['access']>>): void {
  const { gateway: inner } = gateway.internals
  inner.configure({ ...inner.config, access: { rules: [], cedar: [], ...access } })
}

describe('access rules', () => {
  it('permit an argument only where the server reads it', async () => {
    const guest = await connect(['guests'])
    const tool = 'private/get-tiny-image'
    configure({
      rules: [{ allow: [tool], groups: ['guests'], arguments: { 'fields.dryRun': [true] } }],
    })
    const isAllowed = async (args: Record<string, unknown>) => {
      const name = 'private__get-tiny-image'
      return (await guest.client.callTool({ name, arguments: args })).isError !== true
    }
    expect(await isAllowed({ fields: { dryRun: true } })).toBe(true)
    expect(await isAllowed({ 'fields.dryRun': true })).toBe(false)
    expect(await isAllowed({ fields: { dryRun: true, DRYRUN: false } })).toBe(false)
    configure({ rules })
  })

  it('decide what each caller lists and calls', async () => {
    const staff = await connect(['staff'])
    const guest = await connect(['guests'])
    expect(await staff.names()).toEqual(
      expect.arrayContaining(['public__echo', 'private__echo', 'private__get-sum']),
    )
    const visible = await guest.names()
    expect(visible.filter((name) => name.startsWith('private'))).toEqual(['private__echo'])
    expect(visible).toContain('public__get-sum')

    const call = (name: string, args: Record<string, unknown>) =>
      guest.client.callTool({ name, arguments: args })
    const echoed = await call('private__echo', { message: 'hello world' })
    expect(echoed.isError).toBeFalsy()
    const refused = JSON.stringify(await call('private__echo', { message: 'secret' }))
    expect(refused).toContain('"isError":true')
    expect(refused).not.toContain('toolsearch.access')
    // a tool that is hidden and one that does not exist
    const answerTo = async (name: string) => {
      const answer = await call(name, { a: 1, b: 2 }).catch((error: Error) => error.message)
      return JSON.stringify(answer).replaceAll(name, 'NAME')
    }
    expect(await answerTo('private__get-sum')).toBe(await answerTo('private__get-sun'))
  })

  it('narrow profiles and keys', async () => {
    const profile = await connect(['guests'], { path: '/mcp/p/private' })
    expect(await profile.names()).toEqual(['private__echo'])
    const key = await connect(['staff'], { allow: ['get-sum'] })
    expect((await key.names()).sort()).toEqual(['private__get-sum', 'public__get-sum'])
  })

  it('take effect while clients are connected, and so do policies', async () => {
    const guest = await connect(['guests'])
    configure({ rules: [{ allow: ['public/echo'] }] })
    expect(await guest.names()).toEqual(['public__echo'])

    await writeFile(policies, 'permit(principal, action, resource == Tool::"public/get-sum");')
    configure({ cedar: [policies] })
    await expect.poll(guest.names).toEqual(['public__get-sum'])
    await writeFile(policies, 'permit(principal in Group::"guests", action, resource);')
    await expect.poll(async () => (await guest.names()).length).toBeGreaterThan(5)
    configure({ rules })
    expect(await guest.names()).toContain('private__echo')
  })

  it('that cannot be read are an error at the start', async () => {
    await writeFile(policies, 'permit(principal, action);')
    const broken = openGateway(
      { mcpServers: { public: entry }, toolsearch: { access: { cedar: [policies] } } },
      { cacheFolder: false, stateFolder: false },
    )
    await expect(broken).rejects.toThrow(ConfigError)
    await expect(broken).rejects.toThrow(/team\.cedar:1:\d+ /)
  })
})

describe('a key that is revoked during a call', () => {
  it('lets the call finish, and then opens nothing', async () => {
    configure({ rules })
    const { client, names, revoke } = await connect(['staff'])
    let hasStarted = false
    const call = client.callTool(
      {
        name: 'public__trigger-long-running-operation',
        arguments: { duration: 1, steps: 2 },
      },
      {
        onprogress() {
          hasStarted = true
        },
      },
    )
    await expect.poll(() => hasStarted).toBe(true)
    expect(await revoke()).toBe(true)
    expect((await call).isError).toBeFalsy()
    await expect(names()).rejects.toThrow()
  })
})
