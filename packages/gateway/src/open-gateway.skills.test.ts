import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { definitionChanges } from './offering/approvals/definition-changes.ts'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'
import { SKILLS_EXTENSION } from './skills/skill-entry.ts'
import { type Served, startSkillServer } from './upstreams/fixtures/skill-server.fixtures.ts'

const inputSchema = { type: 'object' as const, properties: {} }
const tools = [
  { name: 'create_page', description: 'Creates a page', inputSchema },
  { name: 'publish_page', description: 'Makes a page visible to everybody', inputSchema },
  { name: 'announce', description: 'Announces changes', inputSchema },
]
const release = `---
name: release-notes
description: How to write the notes of a new release
allowed-tools: create_page
metadata:
  version: "1.0"
---
# Release notes

1. Create a page with \`create_page\`.
2. Fill it as in references/STYLE.md.
3. Call \`publish_page\`.
`
const files = { 'SKILL.md': release, 'references/STYLE.md': 'Be brief.\n' }
const refunds = '---\nname: refunds\ndescription: Refund a customer\n---\nAsk first.'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-skills-'))
})

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

/** A server with skills that can change while it runs. */
async function skillServer(served: Served) {
  const server = await startSkillServer({ tools, ...served })
  open.push(server)
  const serve = (next: Served) => server.serve({ tools, ...next })
  return { entry: { url: server.url }, serve }
}

async function start(config: ConfigFile, options = {}): Promise<OpenGateway> {
  const gateway = await openGateway(
    { ...config, toolsearch: { ranking: 'words', ...config.toolsearch } },
    { cacheFolder: false, stateFolder: false, ...options },
  )
  open.push(gateway)
  await gateway.ready()
  return gateway
}

async function call(gateway: OpenGateway, name: string, args: Record<string, unknown>) {
  const { content = [], isError = false } = await gateway.callTool({ name, arguments: args })
  return { text: content.map((block) => block.text).join('\n'), isError }
}

const search = async (gateway: OpenGateway, query: string) =>
  JSON.parse((await call(gateway, 'tool_search', { query })).text)

const read = (gateway: OpenGateway, name: string) =>
  call(gateway, 'describe_tools', { names: [name] })

/** The names of the skills that a search returns. */
async function skillsIn(gateway: OpenGateway, query: string): Promise<string[]> {
  const { skills = [] } = await search(gateway, query)
  return skills.map(({ name }: { name: string }) => name)
}

describe('skills of servers', () => {
  it('are found next to tools, with the tools they name, and are read through describe_tools', async () => {
    const { entry } = await skillServer({
      skills: { 'docs/release-notes': files, refunds: { 'SKILL.md': refunds } },
    })
    const gateway = await start({ mcpServers: { wiki: entry } })
    await expect
      .poll(() => skillsIn(gateway, 'how to write release notes'))
      .toEqual(['skill:wiki/docs/release-notes'])
    const found = await search(gateway, 'how to write release notes')
    expect(found.skills[0]).toEqual({
      name: 'skill:wiki/docs/release-notes',
      description: 'How to write the notes of a new release',
      tools: ['wiki__create_page'],
    })
    expect(found.loaded[0]).toMatchObject({ name: 'wiki__create_page', arguments: '{}' })
    expect(found.message).toContain('Read it with describe_tools first.')

    const skill = await read(gateway, 'skill:wiki/docs/release-notes')
    expect(skill.isError).toBe(false)
    expect(skill.text).toMatch(
      /^Skill skill:wiki\/docs\/release-notes, from "wiki"\. .*follow the user/,
    )
    expect(skill.text).toContain('Tools: wiki__create_page, wiki__publish_page')
    expect(skill.text).toContain('Files: references/STYLE.md.')
    expect(skill.text).toContain('# Release notes')
    const file = await read(gateway, 'skill:wiki/docs/release-notes/references/STYLE.md')
    expect(file.text).toContain('Be brief.')
    expect(await read(gateway, 'skill:wiki/docs/release-notes/../x')).toMatchObject({
      text: expect.stringContaining(
        'has no file \\"../x\\". Its files: SKILL.md, references/STYLE.md.',
      ),
    })
    const called = await call(gateway, 'call_read_tool', {
      name: 'skill:wiki/refunds',
      arguments: {},
    })
    expect(called).toEqual({
      text: '"skill:wiki/refunds" is a skill. Read it with describe_tools.',
      isError: true,
    })
  })

  it('are refused if their content does not match their digests', async () => {
    const content: Record<string, string> = {}
    const skills = { 'release-notes': files, refunds: { 'SKILL.md': refunds } }
    const { entry, serve } = await skillServer({ skills })
    const gateway = await start({ mcpServers: { wiki: entry } })
    await expect.poll(() => skillsIn(gateway, 'refund')).toHaveLength(1)
    content['skill://refunds/SKILL.md'] = refunds.replace('first', 'later')
    content['skill://release-notes/references/STYLE.md'] = `${files['references/STYLE.md']}More.`
    serve({ skills, content })
    const skill = await read(gateway, 'skill:wiki/refunds')
    expect(skill.isError).toBe(true)
    expect(skill.text).toContain('was not used: its content does not match its sha256 digest')
    const file = await read(gateway, 'skill:wiki/release-notes/references/STYLE.md')
    expect(file.text).toContain('it has 15 bytes instead of 10')
  })

  it('are left out with a reason if their entries are invalid, and lists that fail keep the last one', async () => {
    const digest = `sha256:${'0'.repeat(64)}`
    const broken = (uri: string, change: object = {}) => ({
      uri,
      frontmatter: { name: 'a', description: 'A' },
      resources: [{ uri, digest, size: 1 }],
      ...change,
    })
    const more = [
      broken('skill://b/SKILL.md'),
      broken('skill://x/../a/SKILL.md'),
      broken('skill://dynamic/a/SKILL.md', { resources: 'dynamic' }),
      broken('skill://other/a/SKILL.md', {
        resources: [{ uri: 'file:///etc/passwd', digest, size: 1 }],
      }),
      broken('skill://nodigest/a/SKILL.md', {
        resources: [{ uri: 'skill://nodigest/a/SKILL.md', size: 1 }],
      }),
      'nonsense',
    ]
    const skills = { refunds: { 'SKILL.md': refunds } }
    const { entry, serve } = await skillServer({ skills, more })
    const gateway = await start({ mcpServers: { wiki: entry } })
    await expect.poll(() => skillsIn(gateway, 'refund')).toEqual(['skill:wiki/refunds'])
    const upstream = gateway.internals.fleet.upstreams.get('wiki')!
    expect(upstream.skills).toHaveLength(1)
    expect(upstream.status.refused.map(({ reason }) => reason)).toEqual([
      'The name is "a", but the folder is "b".',
      'The "uri" is not a valid URI.',
      'The content is dynamic, so nobody can approve it.',
      'The skill lists a file outside of its folder.',
      'The skill lists a file without a valid "digest".',
      'The entry is not valid.',
    ])
    serve({ skills, fails: true })
    await upstream.refreshTools()
    await expect
      .poll(() => upstream.status.refused.map(({ reason }) => reason))
      .toEqual([expect.stringContaining('The skills are lost.')])
    expect(await skillsIn(gateway, 'refund')).toEqual(['skill:wiki/refunds'])
  })

  it('wait for approval when they change, like tools', async () => {
    const skills = { refunds: { 'SKILL.md': refunds } }
    const { entry, serve } = await skillServer({ skills })
    const gateway = await start(
      { mcpServers: { wiki: entry }, toolsearch: { approve: 'changed' } },
      { stateFolder: join(folder, 'state') },
    )
    await expect.poll(() => skillsIn(gateway, 'refund')).toHaveLength(1)
    await gateway.internals.approvals.saved()
    serve({ skills: { refunds: { 'SKILL.md': `${refunds} Then pay.` } } })
    // the server announces that its resources have changed
    await call(gateway, 'call_destructive_tool', { name: 'wiki__announce', arguments: {} })
    await expect.poll(() => skillsIn(gateway, 'refund')).toEqual([])
    expect(gateway.internals.gateway.waitingTools()).toEqual([
      { name: 'skill:wiki/refunds', server: 'wiki', kind: 'changed' },
    ])
    const skill = await read(gateway, 'skill:wiki/refunds')
    expect(skill).toEqual({
      text: 'The content of "skill:wiki/refunds" changed since it was approved. It cannot be read until a person runs: toolsearch accept skill:wiki/refunds',
      isError: true,
    })
    const { approvals, gateway: internal } = gateway.internals
    await approvals.saved()
    const { tool } = internal.origin('skill:wiki/refunds')!
    expect(definitionChanges(approvals.approvedDefinition('wiki', tool.name)!, tool)).toEqual([])
    // Nobody had read the approved text.
    expect(await internal.skillChanges('skill:wiki/refunds')).toEqual([
      {
        path: 'SKILL.md',
        kind: 'changed',
        note: expect.stringMatching(
          /^The approved text is not stored, .*\(sha256:\w{12}… → sha256:\w{12}…\)\.$/,
        ),
      },
    ])
    gateway.internals.gateway.acceptTool('skill:wiki/refunds')
    expect((await read(gateway, 'skill:wiki/refunds')).text).toContain('Then pay.')
  })

  it('are compared line by line with the approved text, once somebody has read it', async () => {
    const { entry, serve } = await skillServer({ skills: { 'docs/release-notes': files } })
    const settings = { mcpServers: { wiki: entry }, toolsearch: { approve: 'changed' as const } }
    const folders = { stateFolder: join(folder, 'texts'), cacheFolder: join(folder, 'texts-cache') }
    const first = await start(settings, folders)
    await expect.poll(() => skillsIn(first, 'release notes')).toHaveLength(1)
    for (const file of ['', '/references/STYLE.md']) {
      await read(first, `skill:wiki/docs/release-notes${file}`)
    }
    await first.close()
    const changed = {
      'SKILL.md': release.replace('3. Call', '3. Ask the user.\n4. Call'),
      'references/STYLE.md': 'Be long.\n',
      'scripts/publish.sh': 'rm -rf .\n',
    }
    serve({ skills: { 'docs/release-notes': changed } })
    const { gateway, fleet, approvals } = (await start(settings, folders)).internals
    const wiki = fleet.upstreams.get('wiki')!
    await expect.poll(() => wiki.skills[0]?.resources.length).toBe(3)
    await expect.poll(() => gateway.waitingTools().map(({ kind }) => kind)).toEqual(['changed'])
    await approvals.saved()
    expect(await gateway.skillChanges('skill:wiki/docs/release-notes')).toEqual([
      {
        path: 'SKILL.md',
        kind: 'changed',
        diff: [
          '@@ -9,4 +9,5 @@',
          ' ',
          ' 1. Create a page with `create_page`.',
          ' 2. Fill it as in references/STYLE.md.',
          '-3. Call `publish_page`.',
          '+3. Ask the user.',
          '+4. Call `publish_page`.',
        ],
      },
      {
        path: 'references/STYLE.md',
        kind: 'changed',
        diff: ['@@ -1,1 +1,1 @@', '-Be brief.', '+Be long.'],
      },
      { path: 'scripts/publish.sh', kind: 'added', diff: ['@@ -0,0 +1,1 @@', '+rm -rf .'] },
    ])
    expect(await gateway.skillChanges('skill:wiki/none')).toBeUndefined()
  })
})

describe('skills in folders', () => {
  it('are offered, followed and read, without following links', async () => {
    const root = join(folder, 'local')
    const skill = join(root, 'refunds')
    await mkdir(join(skill, 'assets'), { recursive: true })
    await writeFile(join(skill, 'SKILL.md'), `${refunds} Use \`wiki__create_page\`.`)
    await writeFile(join(skill, 'assets', 'form.txt'), 'Name: …')
    await writeFile(join(folder, 'secret.txt'), 'secret')
    await symlink(join(folder, 'secret.txt'), join(skill, 'link.txt'))
    await mkdir(join(root, 'broken'))
    await writeFile(join(root, 'broken', 'SKILL.md'), '---\nname: Broken\ndescription: x\n---\n')
    const { entry } = await skillServer({})
    const gateway = await start({ mcpServers: { wiki: entry }, toolsearch: { skills: [root] } })
    const found = await search(gateway, 'refund a customer')
    expect(found.skills).toEqual([
      {
        name: 'skill:local/refunds',
        description: 'Refund a customer',
        tools: ['wiki__create_page'],
      },
    ])
    const { text } = await read(gateway, 'skill:local/refunds')
    expect(text).toContain('Files: assets/form.txt.')
    expect(text).not.toContain('link.txt')
    expect((await read(gateway, 'skill:local/refunds/assets/form.txt')).text).toContain('Name: …')
    expect((await read(gateway, 'skill:local/refunds/link.txt')).text).toContain('"missing"')
    expect(gateway.internals.skillFolders.problems).toEqual([
      {
        file: join(root, 'broken', 'SKILL.md'),
        line: 2,
        message: expect.stringContaining('"Broken" is invalid'),
      },
    ])
    await mkdir(join(root, 'greet'))
    await writeFile(
      join(root, 'greet', 'SKILL.md'),
      '---\nname: greet\ndescription: Greet somebody\n---\nHi',
    )
    await expect.poll(() => skillsIn(gateway, 'greet somebody')).toEqual(['skill:local/greet'])
    await rm(skill, { recursive: true })
    await expect
      .poll(() => skillsIn(gateway, 'refund a customer'))
      .not.toContain('skill:local/refunds')
  })
})

const Skill = z.looseObject({
  uri: z.string(),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
})
const Listed = z.looseObject({ skills: z.array(Skill), nextCursor: z.string().optional() })
const Got = z.looseObject({ skill: Skill })
const Directory = z.looseObject({
  resources: z.array(z.looseObject({ uri: z.string(), mimeType: z.string() })),
})

describe.each(['2026-07-28', '2025-11-25'])('skills for clients with protocol %s', (version) => {
  it('are listed, got and read with the methods of the extension, apart by server', async () => {
    const one = await skillServer({ skills: { 'docs/release-notes': files } })
    const other = await skillServer({ skills: { 'docs/release-notes': { 'SKILL.md': release } } })
    const gateway = await start({ mcpServers: { wiki: one.entry, blog: other.entry } })
    await expect.poll(() => skillsIn(gateway, 'how to write release notes')).toHaveLength(2)
    const service = await gateway.serveHttp()
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: version === '2026-07-28' ? { pin: version } : 'legacy' } },
    )
    open.push(client)
    await client.connect(new StreamableHTTPClientTransport(new URL(service.url)))
    expect(client.getServerCapabilities()?.extensions).toMatchObject({
      [SKILLS_EXTENSION]: { directoryRead: true },
    })
    const listed = await client.request({ method: 'skills/list', params: {} }, Listed)
    expect(listed.skills.map(({ uri }) => uri)).toEqual([
      'skill://blog/docs/release-notes/SKILL.md',
      'skill://wiki/docs/release-notes/SKILL.md',
    ])
    if (version === '2026-07-28')
      expect(listed).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' })
    const { uri, resources } = listed.skills[1]!
    expect(await client.request({ method: 'skills/get', params: { uri } }, Got)).toMatchObject({
      skill: listed.skills[1]!,
    })
    for (const file of resources) {
      const { contents } = await client.readResource({ uri: file.uri })
      expect(Buffer.byteLength((contents[0] as { text: string }).text)).toBe(file.size)
    }
    const directory = {
      method: 'resources/directory/read',
      params: { uri: uri.replace('/SKILL.md', '') },
    }
    expect((await client.request(directory, Directory)).resources).toMatchObject([
      { name: 'SKILL.md', mimeType: 'text/markdown' },
      { name: 'references', mimeType: 'inode/directory' },
    ])
    const unknown = { method: 'skills/get', params: { uri: 'skill://wiki/none/SKILL.md' } }
    await expect(client.request(unknown, Got)).rejects.toMatchObject({ code: -32602 })
    const noFolder = { method: 'resources/directory/read', params: { uri } }
    await expect(client.request(noFolder, Directory)).rejects.toMatchObject({ code: -32602 })
  })
})
