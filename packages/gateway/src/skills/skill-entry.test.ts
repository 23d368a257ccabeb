import { describe, expect, it } from 'vitest'
import { mentionedTools } from './mentioned-tools.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import { readSkillEntry, type SkillEntry } from './skill-entry.ts'
import { gatewayUri, nameOfUri, pathOfSkill, skillName } from './skill-names.ts'
import { digestOf, verifyFile } from './verify-file.ts'

const text = '---\nname: refunds\ndescription: Refund a customer\n---\nAsk first.'
const uri = 'skill://acme/refunds/SKILL.md'
const entry = (change: object = {}): object => ({
  uri,
  frontmatter: { name: 'refunds', description: 'Refund a customer' },
  resources: [{ uri, digest: digestOf(Buffer.from(text)), size: text.length }],
  ...change,
})

describe('readSkillEntry', () => {
  it('accepts what the extension describes, and drops unknown fields of files', () => {
    const extra = {
      uri: 'skill://acme/refunds/a/b.md',
      digest: `sha256:${'0'.repeat(64)}`,
      size: 0,
    }
    const { resources } = entry() as SkillEntry
    const read = readSkillEntry(entry({ resources: [{ ...extra, mode: 7 }, ...resources] }))
    expect(read).toMatchObject({ uri, resources: [...resources, extra] })
  })

  const read = (uri: string) => {
    const resources = [{ uri, digest: `sha256:${'0'.repeat(64)}`, size: 1 }]
    return readSkillEntry(entry({ uri, resources }))
  }

  it('accepts URIs with another scheme', () => {
    const given = 'github://o/r/skills/refunds/SKILL.md'
    expect(read(given)).toHaveProperty('uri', given)
  })

  it.each([
    ['no SKILL.md', 'skill://acme/refunds/README.md', 'does not end with'],
    ['a parent folder', 'skill://acme/../refunds/SKILL.md', 'valid URI'],
    ['an encoded parent folder', 'skill://acme/%2e%2e/refunds/SKILL.md', 'valid URI'],
    ['an encoded slash', 'skill://acme/a%2fb/refunds/SKILL.md', 'valid URI'],
    ['a query', 'skill://acme/refunds/SKILL.md?/SKILL.md', 'valid URI'],
    ['an empty segment', 'skill://acme//refunds/SKILL.md', 'valid URI'],
  ])('refuses a URI with %s', (_, given, problem) => {
    expect(read(given)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('refuses skills that exceed the limits of the extension', () => {
    const { resources } = entry() as SkillEntry
    const file = (at: number, size = 1) => ({
      uri: `skill://acme/refunds/${at}`,
      digest: `sha256:${'0'.repeat(64)}`,
      size,
    })
    const many = Array.from({ length: 511 }, (_, at) => file(at))
    expect(readSkillEntry(entry({ resources: [...resources, ...many] }))).toHaveProperty('uri')
    expect(readSkillEntry(entry({ resources: [...resources, ...many, file(511)] }))).toEqual({
      problem: 'The skill has more than 512 files.',
    })
    expect(readSkillEntry(entry({ resources: [...resources, file(1, 16 * 1024 * 1024)] }))).toEqual(
      {
        problem: 'The files have more than 16 MB.',
      },
    )
  })

  it.each([
    [{ descripton: 'b' }, 'The frontmatter has no "description", only name, descripton.'],
    [{ description: 5 }, 'The field "description" of the frontmatter is not a text.'],
    [{ description: ' ' }, 'The field "description" of the frontmatter is empty.'],
  ])('says what is wrong with the frontmatter %j', (fields, problem) => {
    const read = readSkillEntry(entry({ frontmatter: { name: 'refunds', ...fields } }))
    expect(read).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe('names of skills', () => {
  it('keep skills of different servers and schemes apart, and lead back to them', () => {
    const path = pathOfSkill(uri)
    expect(path).toBe('acme/refunds')
    expect(pathOfSkill('github://acme/refunds/SKILL.md')).toBe('github/acme/refunds')
    const name = skillName('my wiki', path)
    expect(name).toBe('skill:my%20wiki/acme/refunds')
    expect(nameOfUri(gatewayUri(name, 'a/b.md'))).toBe(`${name}/a/b.md`)
  })
})

describe('verifyFile', () => {
  const read = readSkillEntry(entry()) as SkillEntry

  it('accepts only the announced content', async () => {
    expect(await verifyFile(read, uri, Buffer.from(text))).toBeUndefined()
    const changed = Buffer.from(text.replace('first', 'later'))
    expect(await verifyFile(read, uri, changed)).toBe(
      'its content does not match its sha256 digest',
    )
    expect(await verifyFile(read, uri, Buffer.from(`${text}!`))).toContain('bytes instead of')
    expect(await verifyFile(read, `${uri}x`, Buffer.from(text))).toContain('does not list')
  })

  it('compares the frontmatter with the announced one', async () => {
    const lying = { ...read, frontmatter: { ...read.frontmatter, license: 'MIT' } }
    expect(await verifyFile(lying, uri, Buffer.from(text))).toContain('frontmatter differs')
  })
})

describe('readFrontmatter', () => {
  it.each([
    ['no frontmatter', '# Title', 1],
    ['an open frontmatter', '---\nname: a\n', 1],
    ['invalid YAML', '---\nname: a\nb: [1\n---\n', 3],
    ['a list', '---\n- a\n---\n', 2],
  ])('reports %s with its line', async (_, given, line) => {
    expect(await readFrontmatter(given)).toMatchObject({ problem: expect.any(String), line })
  })

  it.each([
    ['---\nname: a\n', 'The frontmatter does not end.'],
    ['---\nname: a\ndescription: Use this: clean up\n---\n', 'must be in quotes'],
  ])('says how to repair %j', async (given, problem) => {
    expect(await readFrontmatter(given)).toMatchObject({
      problem: expect.stringContaining(problem),
    })
  })

  it('reads Windows line ends, a byte order mark and an empty body', async () => {
    const given = '\ufeff---\r\nname: a\r\nmetadata:\r\n  version: 1.0\r\n---'
    expect(await readFrontmatter(given)).toEqual({
      frontmatter: { name: 'a', metadata: { version: 1 } },
      body: '',
    })
  })
})

describe('mentionedTools', () => {
  it('reads allowed-tools, code and words with underscores', () => {
    const frontmatter = {
      name: 'a',
      description: 'Uses create_page.',
      'allowed-tools': 'Bash(git:*) read_file, Read',
    }
    expect(
      mentionedTools(frontmatter, 'Call `search` or `wiki.find(x)`, then publish_page.'),
    ).toEqual(['Bash', 'read_file', 'Read', 'search', 'wiki.find', 'create_page', 'publish_page'])
    const listed = { ...frontmatter, description: 'd', 'allowed-tools': ['a_b', 7, 'c'] }
    expect(mentionedTools(listed)).toEqual(['a_b', 'c'])
  })
})
