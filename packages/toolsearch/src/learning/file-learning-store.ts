import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Check, complete, name } from '../options/check-option.ts'
import { type LearningStore, parseUse } from './learning-store.ts'
import type { Use } from './use.ts'

export interface FileLearningStoreOptions {
  /** Created if it does not exist. Contains one file per use. */
  folder: string
}

const checkStoreOptions = complete({
  folder: name,
} satisfies Record<keyof FileLearningStoreOptions, Check>)

const USE_FILE = /^[0-9a-f]{16}\.json$/

/** Stores uses in a folder, which several processes can share. @throws InvalidOptionError */
export function createFileLearningStore(options: FileLearningStoreOptions): LearningStore {
  checkStoreOptions(options, 'options')
  // now, so that a later change of the working directory does not move the store
  const folder = resolve(options.folder)
  /** By file, so that reading again reads only what has changed. */
  const known = new Map<string, { readonly version: string; readonly use: Use | undefined }>()

  return {
    async read() {
      const files = (await ignoreMissing(readdir(folder))) ?? []
      const present = new Set(files.filter((file) => USE_FILE.test(file)))
      for (const file of known.keys()) if (!present.has(file)) known.delete(file)
      await Promise.all([...present].map(readUse))
      return [...known.values()].flatMap(({ use }) => use ?? [])
    },
    async add(uses) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const use of uses) {
        const draft = join(folder, `${randomUUID()}.draft`)
        await writeFile(draft, JSON.stringify(use), { mode: 0o600 })
        await rename(draft, fileOf(use.id))
      }
    },
    async remove(ids) {
      for (const id of ids) await rm(fileOf(id), { force: true })
    },
    async clear() {
      const files = (await ignoreMissing(readdir(folder))) ?? []
      for (const file of files.filter((name) => USE_FILE.test(name))) {
        await rm(join(folder, file), { force: true })
      }
    },
  }

  function fileOf(id: string): string {
    return join(folder, `${id}.json`)
  }

  async function readUse(file: string): Promise<void> {
    const path = join(folder, file)
    const found = await ignoreMissing(stat(path))
    if (found === undefined) return void known.delete(file)
    const version = `${found.mtimeMs} ${found.ino} ${found.size}`
    if (known.get(file)?.version === version) return
    const json = await ignoreMissing(readFile(path, 'utf8'))
    if (json === undefined) known.delete(file)
    // A file that cannot be read is left alone: it may be from a newer version.
    else known.set(file, { version, use: parseUse(json) })
  }
}

async function ignoreMissing<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
