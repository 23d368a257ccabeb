import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../../testing/services/free-port.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../testing/services/start-identity-provider.ts'
import { personValue } from './accounts/accounts.fixtures.ts'
import { type OpenGateway, openGateway } from './open-gateway.ts'
import {
  type Served,
  type SkillServer,
  startSkillServer,
} from './upstreams/fixtures/skill-server.fixtures.ts'

const skill = (name: string, description: string, text: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\nallowed-tools: send_card\n---\n${text}\n`,
})
const style = (text: string) => skill('style', 'How to word a letter', text)
const trip = skill('plan-trip', 'How to plan a journey by train', 'Ask for the dates.')
const rent = skill('pay-rent', 'How to pay the rent of the flat', 'Ask for the amount.')
const tools = [
  { name: 'send_card', description: 'Sends a card', inputSchema: { type: 'object' as const } },
  { name: 'announce', description: 'Announces changes', inputSchema: { type: 'object' as const } },
]

let folder: string
let url: string
let provider: IdentityProvider
let server: SkillServer
const served = new Map<string, Served>()
const open: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-person-skills-'))
  provider = await startIdentityProvider()
  served.clear()
  server = await startSkillServer({}, served)
  open.push(provider, server)
  url = `http://127.0.0.1:${await freePort()}`
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

/** A gateway whose server has other skills for each person. */
async function serve(settings: object = {}): Promise<OpenGateway> {
  const notes = {
    url: server.url,
    headers: { person: personValue('NAME') },
    toolsearch: { credentials: 'person' as const },
  }
  const gateway = await openGateway(
    {
      mcpServers: { notes },
      toolsearch: {
        ranking: 'words',
        identity: { url, issuers: [{ issuer: provider.issuer }] },
        ...settings,
      },
    },
    {
      cacheFolder: join(folder, 'cache'),
      stateFolder: join(folder, 'state'),
      onWarning: () => {},
    },
  )
  open.push(gateway)
  await gateway.serveHttp({ port: Number(new URL(url).port) })
  return gateway
}

const provide = (person: string, skills: NonNullable<Served['skills']>) =>
  served.set(person, { tools, skills })

/** Enters the person's value, as on the page of accounts. */
async function connectAccount(person: string): Promise<void> {
  const token = await provider.sign({ sub: person, aud: url })
  const { status } = await fetch(new URL('/api/accounts/notes/values', url), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, origin: url },
    body: JSON.stringify({ values: { NAME: person } }),
  })
  expect(status).toBe(204)
}

const Listed = z.looseObject({ skills: z.array(z.looseObject({ uri: z.string() })) })
const Got = z.looseObject({ skill: z.looseObject({ uri: z.string() }) })

async function clientOf(person: string) {
  const token = await provider.sign({ sub: person, aud: url })
  const client = new Client({ name: 'test', version: '1' })
  const authProvider = { token: async () => token }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider }))
  open.push(client)
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: args })
    return (content as { text: string }[]).map(({ text }) => text).join('\n')
  }
  return {
    call,
    search: (query: string) => call('tool_search', { query }),
    describe: (name: string) => call('describe_tools', { names: [name] }),
    async list() {
      const { skills } = await client.request({ method: 'skills/list', params: {} }, Listed)
      return skills.map(({ uri }) => uri)
    },
    get: (uri: string) => client.request({ method: 'skills/get', params: { uri } }, Got),
    async read(uri: string) {
      const { contents } = await client.readResource({ uri })
      return (contents[0] as { text: string }).text
    },
    async resources() {
      const { resources } = await client.listResources()
      return resources.map(({ uri }) => uri)
    },
  }
}

it('offers each person the skills of their own server, and no others', async () => {
  provide('alice', { 'plan-trip': trip, style: style('Be warm.') })
  provide('bob', { 'pay-rent': rent, style: style('Be brief.') })
  const first = await serve()
  await connectAccount('alice')
  await connectAccount('bob')
  const [alice, bob, carol] = [
    await clientOf('alice'),
    await clientOf('bob'),
    await clientOf('carol'),
  ]
  const ofAlice = ['skill://notes/plan-trip/SKILL.md', 'skill://notes/style/SKILL.md']
  const ofBob = ['skill://notes/pay-rent/SKILL.md', 'skill://notes/style/SKILL.md']
  await expect.poll(alice.list).toEqual(ofAlice)
  await expect.poll(bob.list).toEqual(ofBob)
  expect(await carol.list()).toEqual([])
  expect(await alice.resources()).toEqual(ofAlice)
  expect(await carol.resources()).toEqual([])

  // The same path, but not the same skill.
  expect(await alice.read(ofAlice[1]!)).toContain('Be warm.')
  expect(await bob.read(ofBob[1]!)).toContain('Be brief.')
  expect(await bob.describe('skill:notes/style')).toContain('Be brief.')

  const found = JSON.parse(await alice.search('how to plan a journey'))
  expect(found.skills[0]).toMatchObject({
    name: 'skill:notes/plan-trip',
    tools: ['notes__send_card'],
  })
  expect(await alice.describe('skill:notes/plan-trip')).toContain('Ask for the dates.')
  for (const other of [bob, carol]) {
    const [searched, named] = [
      await other.search('how to plan a journey'),
      await other.search('select:skill:notes/plan-trip'),
    ]
    expect(`${searched}${named.replaceAll('skill:notes/plan-trip', '')}`).not.toContain('plan-trip')
    const described = await other.describe('skill:notes/plan-tri')
    expect(described.replaceAll('plan-tri', '')).not.toContain('plan')
    await expect(other.get(ofAlice[0]!)).rejects.toMatchObject({ code: -32602 })
    await expect(other.read(ofAlice[0]!)).rejects.toMatchObject({ code: -32602 })
  }

  // What a person's server has is known without a connection, and still of that person only.
  await first.close()
  await serve()
  const later = await clientOf('alice')
  await expect.poll(later.list).toEqual(ofAlice)
  expect(await (await clientOf('carol')).list()).toEqual([])
})

it("follows changes of a person's skills, and decides about them by the same rules", async () => {
  provide('alice', { 'plan-trip': trip, 'pay-rent': rent })
  await serve({ access: { rules: [{ allow: ['*'], deny: ['skill:notes/pay-*'] }] } })
  await connectAccount('alice')
  const alice = await clientOf('alice')
  await expect.poll(alice.list).toEqual(['skill://notes/plan-trip/SKILL.md'])
  await expect(alice.get('skill://notes/pay-rent/SKILL.md')).rejects.toMatchObject({ code: -32602 })
  expect(await alice.search('pay the rent')).not.toContain('pay-rent')
  provide('alice', { style: style('Be warm.') })
  await alice.call('call_destructive_tool', { name: 'notes__announce', arguments: {} })
  await expect.poll(alice.list).toEqual(['skill://notes/style/SKILL.md'])
  await expect.poll(() => alice.search('word a letter')).toContain('skill:notes/style')
})
