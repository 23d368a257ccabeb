import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileLearningStore } from './file-learning-store.ts'
import { describeLearningStore } from './learning-store.cases.ts'
import type { LearningStore } from './learning-store.ts'

let root: string
let folders = 0
const folderOf = new Map<LearningStore, string>()
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolsearch-uses-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

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

  it('skips files that it cannot read, and leaves them alone', async () => {
    const store = open()
    const folder = folderOf.get(store)!
    const use = { id: 'a'.repeat(16), tool: 'x', person: '', words: 'w', at: 1, found: true }
    await store.add([use])
    await writeFile(join(folder, `${'b'.repeat(16)}.json`), '{ "half": ')
    expect(await store.read()).toEqual([use])
    expect(await readdir(folder)).toHaveLength(2)
  })
})
