import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeOfProblem, scanFolders } from './scan-folders.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolsearch-folders-'))
  await mkdir(join(root, 'empty'))
  await mkdir(join(root, 'linked'))
  await symlink(join(root, 'empty'), join(root, 'linked', 'a'))
  await writeFile(join(root, 'file'), '')
})
afterAll(() => rm(root, { recursive: true, force: true }))

it.each([
  ['empty', '0 skills: neither the folder nor a folder in it has a SKILL.md.'],
  ['linked', 'Symbolic links are ignored.'],
  ['file', 'This is a file.'],
  ['none', 'The folder does not exist.'],
  ['~/skills', 'write the whole path'],
  [['$', '{HOME}'].join(''), 'write the whole path'],
])('says why the folder %s has no skills, without a line', async (name, message) => {
  const folder = join(root, name)
  const { problems } = await scanFolders([folder])
  expect(problems).toEqual([{ file: folder, message: expect.stringContaining(message) }])
  expect(placeOfProblem(problems[0]!)).toBe(folder)
})
