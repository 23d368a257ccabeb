import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  discoverAndBuildCatalog,
  getSkill,
  listSkills,
  readSkill,
  readSkillResource,
  type SkillsClient,
  serverSupportsSkills,
  walkDirectory,
} from '@olaservo/ext-skills/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'

const server = join(import.meta.dirname, 'upstreams', 'fixtures', 'ext-skills-server.mjs')
const UNLISTED = 'skill://wiki/acme/billing/refunds/SKILL.md'
const files = {
  'code-review/SKILL.md':
    '---\nname: code-review\ndescription: How to review a change\nmetadata:\n  version: "1.0"\n---\nFollow references/RULES.md.\n',
  'code-review/references/RULES.md': 'Be kind.\r\n',
  'acme/billing/refunds/SKILL.md':
    '---\nname: refunds\ndescription: How to refund a customer\n---\nAsk for the order.\n',
  'acme/billing/refunds/templates/mail.md': 'Dear customer\n',
}

let folder: string
const open: { close(): Promise<unknown> }[] = []
let shared: OpenGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-ext-skills-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  shared = await start()
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})
afterAll(async () => {
  await shared.close()
})

async function start(settings: ConfigFile['toolsearch'] = {}): Promise<OpenGateway> {
  const wiki = { command: process.execPath, args: [server, folder, 'acme/billing/refunds'] }
  const gateway = await openGateway(
    { mcpServers: { wiki }, toolsearch: { ranking: 'words', ...settings } },
    { cacheFolder: false, stateFolder: false },
  )
  await gateway.ready()
  const upstream = gateway.internals.fleet.upstreams.get('wiki')!
  expect(upstream.skills).toHaveLength(1)
  return gateway
}

async function connect(gateway: OpenGateway, version: string): Promise<Client & SkillsClient> {
  const mode = version === '2026-07-28' ? { pin: version } : 'legacy'
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  open.push(client)
  const { url } = await gateway.serveHttp()
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  // It differs in whether optional properties may be undefined.
  return client as Client & SkillsClient
}

async function describeSkill(gateway: OpenGateway, name: string): Promise<string> {
  const { content = [] } = await gateway.callTool({
    name: 'describe_tools',
    arguments: { names: [name] },
  })
  return content.map(({ text }) => text).join('\n')
}

describe.each(['2026-07-28', '2025-11-25'])(
  'a server and a client of the working group, with protocol %s',
  (version) => {
    it('list, get, verify and walk skills through the gateway', async () => {
      const client = await connect(shared, version)
      expect(serverSupportsSkills(client)).toBe(true)
      const [listed, ...others] = await listSkills(client)
      expect(others).toEqual([])
      expect(listed).toMatchObject({
        uri: 'skill://wiki/code-review/SKILL.md',
        frontmatter: { name: 'code-review', metadata: { version: '1.0' } },
      })
      expect(await readSkill(client, listed!)).toContain('Follow references/RULES.md.')
      const rules = 'skill://wiki/code-review/references/RULES.md'
      expect(await readSkillResource(client, listed!, rules)).toMatchObject({
        text: 'Be kind.\r\n',
      })
      const walked = await walkDirectory(client, 'skill://wiki/code-review')
      expect(walked.map(({ uri }) => uri)).toContain(rules)
      const { skills, catalog } = await discoverAndBuildCatalog(client)
      expect(skills).toHaveLength(1)
      expect(catalog).toContain('How to review a change')
    })

    it('get a skill that no list contains, and its files', async () => {
      const client = await connect(shared, version)
      const skill = await getSkill(client, UNLISTED)
      expect(await readSkill(client, skill)).toContain('Ask for the order.')
      const mail = UNLISTED.replace('SKILL.md', 'templates/mail.md')
      expect(await readSkillResource(client, skill, mail)).toMatchObject({
        text: 'Dear customer\n',
      })
      const walked = await walkDirectory(client, UNLISTED.replace('/SKILL.md', ''))
      expect(walked.map(({ uri }) => uri)).toContain(mail)
      // Naming it does not list it.
      expect(await listSkills(client)).toHaveLength(1)
      const unknown = getSkill(client, 'skill://wiki/acme/none/SKILL.md')
      await expect(unknown).rejects.toMatchObject({ code: -32602 })
    })
  },
)

describe('an unlisted skill', () => {
  const name = 'skill:wiki/acme/billing/refunds'

  it('is read by its name with describe_tools, but not found by searches', async () => {
    expect(await describeSkill(shared, name)).toContain('Ask for the order.')
    expect(await describeSkill(shared, `${name}/templates/mail.md`)).toContain('Dear customer')
    const query = { name: 'tool_search', arguments: { query: 'how to refund a customer' } }
    expect(JSON.stringify(await shared.callTool(query))).not.toContain('refunds')
  })

  it('has files that can be read although another replica was asked for the skill', async () => {
    const gateway = await start()
    open.push(gateway)
    const client = await connect(gateway, '2026-07-28')
    const mail = UNLISTED.replace('SKILL.md', 'templates/mail.md')
    const { contents } = await client.readResource({ uri: mail })
    expect(contents).toMatchObject([{ text: 'Dear customer\n' }])
  })

  it('does not exist for people who may not read it', async () => {
    const gateway = await start({
      access: { rules: [{ allow: ['*'], deny: ['skill:wiki/acme/*'] }] },
    })
    open.push(gateway)
    const client = await connect(gateway, '2026-07-28')
    await expect(getSkill(client, UNLISTED)).rejects.toMatchObject({ code: -32602 })
    await expect(client.readResource({ uri: UNLISTED })).rejects.toMatchObject({ code: -32602 })
    expect(await listSkills(client)).toHaveLength(1)
  })

  it('waits for approval like any other', async () => {
    const gateway = await start({ approve: 'new' })
    open.push(gateway)
    const { gateway: internal } = gateway.internals
    internal.acceptTool('skill:wiki/code-review')
    expect(internal.waitingTools()).toEqual([])
    expect(await describeSkill(gateway, name)).toContain(`toolsearch accept ${name}`)
    expect(internal.waitingTools()).toEqual([{ name, server: 'wiki', kind: 'new' }])
    const client = await connect(gateway, '2026-07-28')
    await expect(getSkill(client, UNLISTED)).rejects.toMatchObject({ code: -32602 })
    expect(internal.acceptTool(name)).toBe(true)
    expect(await readSkill(client, await getSkill(client, UNLISTED))).toContain(
      'Ask for the order.',
    )
  })
})
