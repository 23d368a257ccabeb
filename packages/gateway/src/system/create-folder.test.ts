import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolder } from './create-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-folder-'))

describe('createFolder', () => {
  it('creates a folder and its parents, several times at once', async () => {
    // Many times, so that a parent also appears between two steps.
    for (let at = 0; at < 100; at++) {
      const grandparent = join(root, `a${at}`)
      const parent = join(grandparent, 'b')
      const folder = join(parent, 'c')
      await Promise.all([folder, folder, grandparent, parent].map(createFolder))
      await createFolder(folder)
      expect(statSync(folder).isDirectory()).toBe(true)
    }
  })

  it('rejects if a parent is a file', async () => {
    writeFileSync(join(root, 'file'), '')
    await expect(createFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(createFolder(join(root, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(existsSync('/proc/self'))('rejects where no folder can be created', async () => {
    await expect(createFolder('/proc/nope/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
