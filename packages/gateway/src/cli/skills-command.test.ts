import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startSkillServer } from '../upstreams/fixtures/skill-server.fixtures.ts'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
let broken = ''
beforeAll(async () => {
  gateway = await serving({
    mcpServers: {},
    toolsearch: { skills: ['./skills'], ranking: 'words' },
  })
  broken = write('broken', '---\nname: broken\ndescription: "x\n---\n')
  write('greet', '---\nname: greet\ndescription: Greet somebody\n---\nSay hello.')
})
afterAll(() => gateway.end())

function write(name: string, text: string, within = 'skills'): string {
  const folder = join(gateway.folder, within, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), text)
  return join(within, name, 'SKILL.md')
}

it('skills lists and shows skills, and names invalid files with their line', async () => {
  const { code, out, err } = await gateway.run('skills')
  expect(code).toBe(1)
  expect(out).toMatch(/skill:local\/greet {2}Greet somebody/)
  expect(err).toMatch(/SKILL\.md:3: The frontmatter is not valid YAML/)
  expect(err).toContain(broken)
  const shown = await gateway.run('skills', 'skill:local/greet')
  expect(shown.code).toBe(0)
  expect(shown.out).toContain('Say hello.')
  const { skills, problems } = JSON.parse((await gateway.run('skills', '--json')).out)
  expect(skills).toMatchObject([{ name: 'skill:local/greet', server: 'local' }])
  expect(problems).toMatchObject([{ line: 3 }])
  const misspelt = await gateway.run('skills', 'skill:local/gret')
  expect(misspelt.code).toBe(2)
  expect(misspelt.err).toContain('Did you mean "skill:local/greet"?')
  write('größe', '---\nname: größe\ndescription: Wie groß\n---\nMessen.')
  expect((await gateway.run('skills', 'skill:local/größe')).out).toContain('Messen.')
  rmSync(join(gateway.folder, 'skills', 'größe'), { recursive: true })
  const file = await gateway.run('skills', 'skill:local/greet/STYL.md')
  expect(file.err).toContain('"skill:local/greet" has no file "STYL.md". Its files: SKILL.md.')
  const invalid = await gateway.run('skills', 'skill:local/broken')
  expect(invalid.err).toMatch(/"skill:local\/broken" is invalid\. .*SKILL\.md:3: /)
  const called = await gateway.run('call', 'skill:local/greet')
  expect(called.err).toContain('Read it with: toolsearch skills skill:local/greet')
  const access = await gateway.run('access')
  expect(access.out).toContain('skill:local/greet')
  expect(access.out).not.toContain('local/skill:')
  expect(access.err).toContain('0 of 0 tools allowed, and 1 of 1 skill')
})

it('doctor reports invalid skills, and fails', async () => {
  const { code, out } = await gateway.run('doctor')
  expect(code).toBe(1)
  expect(out).toContain('folders: 1 skill')
  expect(out).toMatch(/SKILL\.md:3:/)
})

it('serve warns of invalid skills, also of those that are added while it runs', async () => {
  const command = gateway.start('serve', '--http', '--port', '0')
  const seen = (text: RegExp) => expect.poll(() => command.err).toMatch(text)
  await seen(/Warning: .*broken.SKILL\.md:3: The frontmatter/)
  write('late', '---\nname: late\n---\n')
  await seen(/Warning: .*late.SKILL\.md:1: The frontmatter has no "description"/)
  command.kill()
})

it('review shows which lines of a skill changed while no gateway ran', async () => {
  const toolsearch = { skills: ['./skills'], ranking: 'words', approve: 'changed' }
  await gateway.write({ mcpServers: {}, toolsearch })
  const skill = (text: string) =>
    `---\nname: cook\ndescription: Cook a soup\n---\n# Soup\n\n${text}\n`
  write('cook', skill('Ask who eats.'))
  await gateway.run('skills')
  write('cook', skill('Ask\u001b[2J nobody.').replace('Cook a soup', 'Cook a stew'))
  const { code, out } = await gateway.run('review', 'skill:local/cook')
  expect(code).toBe(1)
  expect(out).toContain('frontmatter.description\n  - Cook a soup\n  + Cook a stew')
  expect(out).toContain('SKILL.md  changed')
  expect(out).toContain('-Ask who eats.\n  +Ask [2J nobody.')
  const [review] = JSON.parse((await gateway.run('review', 'skill:local/cook', '--json')).out)
  expect(review.files).toMatchObject([{ path: 'SKILL.md', kind: 'changed' }])
  await gateway.run('accept', 'skill:local/cook')
  expect((await gateway.run('review', 'skill:local/cook')).code).toBe(0)
})

it('review says how to read a skill, and a person can read it before accepting it', async () => {
  const toolsearch = { skills: ['./skills'], ranking: 'words', approve: 'new' }
  await gateway.write({ mcpServers: {}, toolsearch })
  write('fresh', '---\nname: fresh\ndescription: Let fresh air in\n---\nOpen a window.')
  const { out, err } = await gateway.run('review')
  expect(err).toContain('1 skill waits for approval. To decide:')
  expect(out).toContain('Read it with: toolsearch skills skill:local/fresh')
  expect((await gateway.run('skills', 'skill:local/fresh')).out).toContain('Open a window.')
})

it('skills finds those of other programs, with the folders of the documentation', async () => {
  const sample = join(import.meta.dirname, '../../../../docs/samples/skills/folders.jsonc')
  const file = join(gateway.folder, 'usual.jsonc')
  writeFileSync(file, readFileSync(sample, 'utf8'))
  const home = join(gateway.folder, 'home')
  const places = {
    mine: 'home/.claude/skills',
    shared: 'home/.agents/skills',
    project: '.claude/skills',
    team: 'plugin/skills',
  }
  for (const [name, place] of Object.entries(places)) {
    write(name, `---\nname: ${name}\ndescription: About ${name}\n---\n`, place)
  }
  // as installers do
  symlinkSync('../../.agents/skills/shared', join(home, '.claude', 'skills', 'shared'))
  gateway.env.HOME = home
  gateway.env.TEAM_PLUGIN = join(gateway.folder, 'plugin')
  const { code, out, err } = await gateway.run('skills', '--config', file)
  expect(err).toBe('')
  expect(code).toBe(0)
  for (const name of Object.keys(places))
    expect(out).toContain(`skill:local/${name}  About ${name}`)
})

it('commands wait for the skills of servers, also for a change and for one that is not listed', async () => {
  const skill = (name: string, text: string) => ({
    'SKILL.md': `---\nname: ${name}\ndescription: About ${name}\n---\n${text}\n`,
  })
  const served = (tidy: string, archive: string) => ({
    skills: { tidy: skill('tidy', tidy), 'hidden/archive': skill('archive', archive) },
    unlisted: ['hidden/archive'],
  })
  const wiki = await startSkillServer(served('Move files.', 'Zip files.'))
  onTestFinished(() => wiki.close())
  await gateway.write({
    mcpServers: { wiki: { url: wiki.url } },
    toolsearch: { ranking: 'words', approve: 'changed' },
  })
  const listed = await gateway.run('skills', '--refresh')
  expect(listed.out).toMatch(/^skill:wiki\/tidy .*About tidy$/m)
  expect(listed.err).toContain('wiki: 0 tools, 1 skill')
  expect((await gateway.run('skills', 'skill:wiki/tidy')).out).toContain('Move files.')
  expect((await gateway.run('skills', 'skill:wiki/hidden/archive')).out).toContain('Zip files.')
  await gateway.run('accept', 'skill:wiki/tidy', 'skill:wiki/hidden/archive')

  wiki.serve(served('Delete files.', 'Burn files.'))
  const all = await gateway.run('review')
  expect(all.out).toContain('-Move files.\n  +Delete files.')
  expect(all.out).not.toContain('archive')
  const { out } = await gateway.run('review', 'skill:wiki/hidden/archive')
  expect(out).toContain('changed')
  await gateway.run('accept', 'skill:wiki/tidy', 'skill:wiki/hidden/archive')
  for (const name of ['skill:wiki/tidy', 'skill:wiki/hidden/archive']) {
    expect((await gateway.run('review', name)).code).toBe(0)
  }
})

it('skills names the invalid ones of servers and why, also from the cache', async () => {
  const uri = 'skill://live/a/SKILL.md'
  const frontmatter = { name: 'a', description: 'A' }
  const wiki = await startSkillServer({ more: [{ uri, frontmatter, resources: 'dynamic' }] })
  onTestFinished(() => wiki.close())
  await gateway.write({ mcpServers: { wiki: { url: wiki.url } }, toolsearch: { ranking: 'words' } })
  const message = `skill ${uri}: The content is dynamic, so nobody can approve it.`
  for (const options of [['--refresh'], []]) {
    const { code, err } = await gateway.run('skills', ...options)
    expect(err).toContain(`wiki: ${message}`)
    expect(code).toBe(1)
  }
  const { problems } = JSON.parse((await gateway.run('skills', '--json')).out)
  expect(problems).toEqual([{ server: 'wiki', message }])
})
