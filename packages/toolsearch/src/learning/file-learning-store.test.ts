import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFileLearningStore } from './file-learning-store.ts'
import { createLearning } from './learning.ts'
import { describeLearningStore } from './learning-store.cases.ts'
import type { LearningStore } from './learning-store.ts'

let root: string
let folders = 0
const folderOf = new Map<LearningStore, string>()
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolsearch-uses-'))
})

function open(folder = join(root, `uses-${++folders}`)): LearningStore {
  const store = createFileLearningStore({ folder })
  folderOf.set(store, folder)
  return store
}

describe('createFileLearningStore', () => {
  describeLearningStore(
    () => open(),
    (store) => open(folderOf.get(store)!),
  )

  // Windows has no such modes.
  it.skipIf(process.platform === 'win32')('lets nobody else read the folder', async () => {
    const store = open()
    await store.add([{ id: 'a'.repeat(16), tool: 'x', person: '', words: 'w', at: 1, found: true }])
    expect((await stat(folderOf.get(store)!)).mode & 0o777).toBe(0o700)
  })

  it('skips files that it cannot read, and removes them only with everything else', async () => {
    const store = open()
    const folder = folderOf.get(store)!
    const use = { id: 'a'.repeat(16), tool: 'x', person: '', words: 'w', at: 1, found: true }
    await store.add([use])
    await writeFile(join(folder, `${'b'.repeat(16)}.json`), '{ "half": ')
    expect(await store.read()).toEqual([use])
    await writeFile(join(folder, 'notes.txt'), 'not a use')
    await store.remove([use.id])
    expect(await readdir(folder)).toHaveLength(2)
    await createLearning({ store }).forget({})
    expect(await readdir(folder)).toEqual(['notes.txt'])
  })
})
