import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { eachValue } from '../../../testing/deep.ts'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'
import { type Served, startSkillServer } from './upstreams/fixtures/skill-server.fixtures.ts'

const skill = (name: string, text: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: About ${name}\n---\n${text}\n`,
})
const notes = skill('notes', 'Be brief.')
const plan = skill('secret-plan', 'Buy the moon.')

let folder: string
const open: { close(): Promise<unknown> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-skill-uris-'))
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

/** A server that answers reads of any URI, and notes which it was asked for. */
async function anyServer(served: Served) {
  const server = await startSkillServer({ readsAnything: true, ...served })
  open.push(server)
  const serve = (next: Served) => server.serve({ readsAnything: true, ...next })
  return { entry: { url: server.url }, serve, asked: server.asked }
}

async function start(config: ConfigFile): Promise<{ gateway: OpenGateway; client: Client }> {
  const gateway = await openGateway(
    { ...config, toolsearch: { ranking: 'words', ...config.toolsearch } },
    { cacheFolder: false, stateFolder: join(folder, 'state') },
  )
  open.push(gateway)
  await gateway.ready()
  const client = new Client({ name: 'test', version: '1' })
  open.push(client)
  const { url } = await gateway.serveHttp()
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return { gateway, client }
}

/** The text of a resource, or the error without the URI. */
async function readText(client: Client, uri: string): Promise<string> {
  return client.readResource({ uri }).then(
    ({ contents }) => (contents[0] as { text: string }).text,
    ({ code, message }) => `${code} ${message.replaceAll(uri, 'URI')}`,
  )
}

const LAST_S = /s(?=[^s]*$)/

/** Ways to write the URI of a skill, so that a server could understand it. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `skill://${path}/SKILL.md`,
  (path) => `SKILL://${path}/SKILL.md`,
  (path) => `skill:${path}/SKILL.md`,
  (path) => `skill:///${path}/SKILL.md`,
  (path) => `skill://${path.replaceAll('/', '//')}/SKILL.md`,
  (path) => `skill://${path}//SKILL.md`,
  (path) => `skill://${path}/./SKILL.md`,
  (path) => `skill://${path}/x/../SKILL.md`,
  (path) => `skill://${path}/%53KILL.md`,
  (path) => `skill://${path.replace('s', '%73')}/SKILL.md`,
  (path) => `skill://${path}/SKILL.md?x=1`,
  (path) => `skill://${path.replace(LAST_S, '%73')}/SKILL.md?%`,
  (path) => `skill://${path.replace(LAST_S, '%2573')}/SKILL.md`,
  (path) => `%73kill://${path}/SKILL.md`,
  (path) => `%73kill://${path}/SKILL.md#%`,
  (path) => ` skill://${path}/SKILL.md`,
  (path) => `skill://${path}/other.md`,
  (path) => `skill://${path}/../../toolsearch.json`,
]

it('a hidden skill, one that does not exist and the URIs of servers have the same error, and no server learns of them', async () => {
  const wiki = await anyServer({
    skills: { 'docs/notes': notes, 'docs/secret-plan': plan },
    templates: ['skill://{+path}', '{+any}'],
  })
  const other = await anyServer({ templates: ['skill://{+path}', '{+any}'] })
  const local = join(folder, 'skills', 'notes')
  await mkdir(local, { recursive: true })
  await writeFile(join(local, 'SKILL.md'), notes['SKILL.md'])
  const { client } = await start({
    mcpServers: { other: other.entry, wiki: wiki.entry },
    toolsearch: {
      skills: [join(folder, 'skills')],
      access: { rules: [{ allow: ['*'], deny: ['skill:wiki/docs/secret-*'] }] },
    },
  })
  expect(await readText(client, 'skill://wiki/docs/notes/SKILL.md')).toBe(notes['SKILL.md'])
  const path = [
    'docs/notes',
    'docs/secret-plan',
    'wiki/docs/secret-plan',
    'wiki/docs/secret-none',
    'local/notes/more',
    'none/notes',
  ]
  const uris = [
    ...spellings.map((spell) => spell('wiki/docs/secret-plan')),
    ...eachValue({ path, spell: spellings }).map(({ path, spell }) => spell(path)),
  ]
  const answers = new Map<string, string[]>()
  for (const uri of uris) {
    const answer = await readText(client, uri)
    answers.set(answer, [...(answers.get(answer) ?? []), uri])
  }
  expect([...answers.keys()]).toEqual([expect.stringMatching(/not found/i)])
  expect(other.asked).toEqual([])
  const asked = wiki.asked
  expect(asked).toContain('skill://docs/notes/SKILL.md')
  expect(
    asked.filter((uri) => /secret-(plan|none)\/SKILL|toolsearch|%|\/\/.*\/\/|\.\./.test(uri)),
  ).toEqual([])
  // Other schemes are plain resources.
  expect(await readText(client, 'page://1')).toBe('the text of page://1')
})

it('URIs of servers with the scheme skill: are not listed, completed or subscribed to', async () => {
  const wiki = await anyServer({
    skills: { notes },
    templates: ['skill://{+path}', 'page://{id}'],
  })
  const { client } = await start({ mcpServers: { wiki: wiki.entry } })
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['skill://wiki/notes/SKILL.md'])
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['page://{id}'])
  const complete = (uri: string) =>
    client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: '1' } })
  expect((await complete('page://{id}')).completion.values).toEqual(['completed'])
  await expect(complete('skill://{+path}')).rejects.toThrow(/not found/i)
  const subscribed = client.subscribeResource({ uri: 'skill://notes/SKILL.md' })
  await expect(subscribed).rejects.toThrow(/not found/i)
  expect(wiki.asked).toEqual(['page://{id}'])
})

it('a changed skill cannot be read under any URI before it is accepted', async () => {
  const wiki = await anyServer({ skills: { notes }, templates: ['skill://{+path}'] })
  const { client, gateway } = await start({
    mcpServers: { wiki: wiki.entry },
    toolsearch: { approve: 'changed' },
  })
  const uri = 'skill://wiki/notes/SKILL.md'
  expect(await readText(client, uri)).toContain('Be brief.')
  await gateway.internals.approvals.saved()
  wiki.serve({
    skills: { notes: skill('notes', 'Be evil.') },
    templates: ['skill://{+path}'],
  })
  // The gateway does not know yet that the skill has changed.
  expect(await readText(client, 'skill://notes/SKILL.md')).toMatch(/not found/i)
  await gateway.internals.fleet.upstreams.get('wiki')!.refreshTools()
  await expect.poll(() => readText(client, uri)).toContain('toolsearch accept skill:wiki/notes')
  expect(await readText(client, 'skill://notes/SKILL.md')).toMatch(/not found/i)
  gateway.internals.gateway.acceptTool('skill:wiki/notes')
  expect(await readText(client, uri)).toContain('Be evil.')
})

it('files of skills with another scheme are not readable as plain resources either, in any spelling', async () => {
  const wiki = await anyServer({
    root: 'docs://team/',
    skills: { notes, 'secret-plan': plan },
    templates: ['docs://{+path}'],
  })
  const { client } = await start({
    mcpServers: { wiki: wiki.entry },
    toolsearch: { access: { rules: [{ allow: ['*'], deny: ['skill:wiki/*/secret-plan'] }] } },
  })
  expect(await readText(client, 'skill://wiki/docs/team/notes/SKILL.md')).toContain('Be brief.')
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['skill://wiki/docs/team/notes/SKILL.md'])
  const path = ['team/notes', 'team/secret-plan']
  const uris = eachValue({ path, spell: spellings }).map(({ path, spell }) =>
    spell(path).replace(/(%73|s)kill:/i, 'docs:'),
  )
  const refused = uris.filter((uri) => !uri.includes('/../../'))
  for (const uri of refused)
    expect([uri, await readText(client, uri)]).toEqual([uri, expect.stringMatching(/not found/i)])
  expect(await readText(client, 'docs://team/notes-of-today')).toContain('the text of')
  expect(wiki.asked.filter((uri) => refused.includes(uri))).toEqual(['docs://team/notes/SKILL.md'])
})

it('a file is read by its name on disk and by its URI, and as a blob if it is not UTF-8', async () => {
  const local = join(folder, 'skills', 'notes')
  await mkdir(local, { recursive: true })
  await writeFile(join(local, 'SKILL.md'), notes['SKILL.md'])
  await writeFile(join(local, 'sp ace #1?.md'), 'With spaces.')
  await writeFile(join(local, 'latin.md'), 'Grüße', 'latin1')
  const { client } = await start({
    mcpServers: {},
    toolsearch: { skills: [join(folder, 'skills')] },
  })
  for (const file of ['sp ace #1?.md', 'sp%20ace%20%231%3F.md']) {
    expect(await readText(client, `skill://local/notes/${file}`)).toBe('With spaces.')
    const names = [`skill:local/notes/${file}`]
    const { content } = await client.callTool({ name: 'describe_tools', arguments: { names } })
    expect(JSON.stringify(content)).toContain('With spaces.')
  }
  const names = ['skill://local/notes/SKILL.md']
  const { content } = await client.callTool({ name: 'describe_tools', arguments: { names } })
  expect(JSON.stringify(content)).toContain('Be brief.')
  const Directory = z.looseObject({ resources: z.array(z.looseObject({ name: z.string() })) })
  const folders = ['skill://local/notes', 'skill://local/notes/'].map((uri) =>
    client.request({ method: 'resources/directory/read', params: { uri } }, Directory),
  )
  for (const { resources } of await Promise.all(folders)) expect(resources).toHaveLength(3)
  const { contents } = await client.readResource({ uri: 'skill://local/notes/latin.md' })
  const blob = Buffer.from('Grüße', 'latin1').toString('base64')
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', blob }])
  const searched = await client.callTool({ name: 'tool_search', arguments: { query: 'zebra' } })
  expect(JSON.stringify(searched.content)).toContain('No matching skills, and there are no tools.')
})

it('a denied skill inside another is read as files of the outer one, and a blocked one is not', async () => {
  const outer = { ...notes, 'inner/SKILL.md': skill('inner', 'Whisper.')['SKILL.md'] }
  const inner = skill('inner', 'Whisper.')
  const wiki = await anyServer({ skills: { notes: outer, 'notes/inner': inner } })
  const { client } = await start({
    mcpServers: { wiki: wiki.entry },
    toolsearch: { access: { rules: [{ allow: ['*'], deny: ['skill:wiki/notes/inner'] }] } },
  })
  const uri = 'skill://wiki/notes/inner/SKILL.md'
  expect(await readText(client, uri)).toContain('Whisper.')
  const other = await start({ mcpServers: { wiki: wiki.entry } })
  other.gateway.internals.gateway.blockTool('skill:wiki/notes/inner')
  expect(await readText(other.client, uri)).toContain('blocked')
})

it('a server without the extension has resources with the scheme skill:, but not under the name of a server', async () => {
  const plain = await anyServer({ isPlain: true, templates: ['skill://{+path}'] })
  const wiki = await anyServer({ skills: { notes } })
  const { client } = await start({ mcpServers: { plain: plain.entry, wiki: wiki.entry } })
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['skill://{+path}'])
  expect(await readText(client, 'skill://pdf/SKILL.md')).toBe('the text of skill://pdf/SKILL.md')
  expect(await readText(client, 'skill://wiki/notes/SKILL.md')).toContain('Be brief.')
  expect(await readText(client, 'skill://wiki/none/SKILL.md')).toMatch(/not found/i)
  expect(plain.asked).toEqual(['skill://pdf/SKILL.md'])
})
