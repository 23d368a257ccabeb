import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { placeOfProblem, scanFolders } from './scan-folders.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolsearch-folders-'))
  await mkdir(join(root, 'empty'))
  await mkdir(join(root, 'elsewhere', 'greet'), { recursive: true })
  await writeFile(
    join(root, 'elsewhere', 'greet', 'SKILL.md'),
    '---\nname: greet\ndescription: Greet\n---\n',
  )
  await mkdir(join(root, 'links'))
  await symlink(join(root, 'elsewhere', 'greet'), join(root, 'links', 'greet'))
  await writeFile(join(root, 'file'), '')
})

it.each([
  ['empty', '0 skills: neither the folder nor a folder in it has a SKILL.md.'],
  ['links', 'Symbolic links are ignored (greet). To offer these skills, add '],
  ['file', 'This is a file.'],
  ['none', 'The folder does not exist.'],
])('says why the folder %s has no skills, without a line', async (name, message) => {
  const folder = join(root, name)
  const { problems } = await scanFolders([folder])
  expect(problems).toEqual([{ file: folder, message: expect.stringContaining(message) }])
  expect(placeOfProblem(problems[0]!)).toBe(folder)
})

it('does not report links to skills of another folder that is scanned', async () => {
  const [links, elsewhere] = [join(root, 'links'), join(root, 'elsewhere')]
  const { skills, problems } = await scanFolders([links, elsewhere])
  expect(skills.map(({ entry }) => entry.uri)).toEqual(['skill://greet/SKILL.md'])
  expect(problems).toEqual([])
})

it('keeps letters of any language in URIs, also if the file system decomposes them', async () => {
  const folder = join(root, 'letters', 'größe'.normalize('NFD'))
  await mkdir(join(folder, 'a b'), { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), '---\nname: größe\ndescription: Size\n---\n')
  await writeFile(join(folder, 'a b', '#1.md'), 'x')
  const { skills, problems } = await scanFolders([join(root, 'letters')])
  expect(problems).toEqual([])
  expect(skills[0]?.entry.resources.map(({ uri }) => uri)).toEqual([
    'skill://größe/SKILL.md',
    'skill://größe/a%20b/%231.md',
  ])
})

it('reports a file whose name has the wrong case', async () => {
  const folder = join(root, 'case', 'greet')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'skill.md'), '---\nname: greet\ndescription: Greet\n---\n')
  const { problems } = await scanFolders([join(root, 'case')])
  expect(problems).toEqual([
    { file: join(folder, 'skill.md'), line: 1, message: 'The name of the file must be SKILL.md.' },
  ])
})

it('reports a SKILL.md that is not UTF-8', async () => {
  const folder = join(root, 'latin', 'greet')
  await mkdir(folder, { recursive: true })
  const text = '---\nname: greet\ndescription: Grüße\n---\n'
  await writeFile(join(folder, 'SKILL.md'), text, 'latin1')
  const { skills, problems } = await scanFolders([join(root, 'latin')])
  expect(skills).toEqual([])
  expect(problems).toEqual([
    {
      file: join(folder, 'SKILL.md'),
      line: 1,
      message: 'The file is not UTF-8. Save it in this encoding.',
    },
  ])
})

it('says which of two skills of the same name is offered', async () => {
  const other = join(root, 'more', 'greet')
  await mkdir(other, { recursive: true })
  await writeFile(join(other, 'SKILL.md'), '---\nname: greet\ndescription: Greet\n---\n')
  const first = join(root, 'elsewhere')
  const { problems } = await scanFolders([first, join(root, 'more')])
  expect(problems).toMatchObject([
    {
      file: join(other, 'SKILL.md'),
      message: `The skill "greet" is offered from ${join(first, 'greet')}.`,
    },
  ])
})
