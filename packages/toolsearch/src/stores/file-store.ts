import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Check, callback, complete, count, name, number } from '../options/check-option.ts'
import { createSerialQueue } from './serial-queue.ts'
import { addToRecord, EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import { readSnapshot, type SessionSnapshot } from './session-snapshot.ts'
import type { SessionStore } from './session-store.ts'

export interface FileStoreOptions {
  /** Created if it does not exist. Contains one JSON file per conversation. */
  folder: string
  /**
   * Maximum number of conversations. Beyond that, the least recently used 10% are deleted.
   * @default 4_096
   */
  maxSessions?: number
  /**
   * Delete a conversation that was not used for this many milliseconds.
   * @default Infinity
   */
  idleMs?: number
  /** @default Date.now */
  now?: () => number
  /**
   * Called after an unreadable file was renamed. Must not throw.
   * @default console.warn
   */
  onWarning?: (message: string) => void
}

const checkStoreOptions = complete(
  {
    folder: name,
    maxSessions: count(1),
    idleMs: number(),
    now: callback,
    onWarning: callback,
  } satisfies Record<keyof FileStoreOptions, Check>,
  ['maxSessions', 'idleMs', 'now', 'onWarning'],
)

/**
 * Stores conversations in a folder, for one process at a time. Files are written atomically: a
 * crash leaves either the old or the new version.
 */
export function createFileStore(options: FileStoreOptions): SessionStore {
  checkStoreOptions(options, 'options')
  const { folder, maxSessions = 4_096, idleMs = Number.POSITIVE_INFINITY } = options
  const { now = Date.now, onWarning = console.warn } = options
  const enqueue = createSerialQueue()
  const enqueueCleanup = createSerialQueue()
  /** Files being written now. All other drafts were left behind by a crash. */
  const drafts = new Set<string>()
  let knownFiles: Set<string> | undefined

  return {
    read: (id) => enqueue(id, () => readRecord(id)),
    append: (id, addition) =>
      enqueue(id, async () => {
        const record = addToRecord((await readRecord(id)) ?? EMPTY_RECORD, addition)
        await writeRecord(id, record)
        return record
      }),
    write: (id, record) => enqueue(id, () => writeRecord(id, record)),
    forget: (id) => enqueue(id, () => removeFile(fileName(id))),
  }

  async function readRecord(id: string): Promise<SessionRecord | undefined> {
    const path = join(folder, fileName(id))
    const usedAt = await modifiedAt(path)
    if (usedAt === undefined) return undefined
    if (now() - usedAt > idleMs) {
      await removeFile(fileName(id))
      return undefined
    }
    // a write to another session may delete this file at any moment
    const text = await ignoreMissing(readFile(path, 'utf8'))
    if (text === undefined) return undefined
    await ignoreMissing(touch(path))
    try {
      return readSnapshot(JSON.parse(text)).record
    } catch (error) {
      const backup = `${path}.corrupt-${now()}`
      await ignoreMissing(rename(path, backup))
      knownFiles?.delete(fileName(id))
      onWarning(
        `toolsearch: cannot read session "${id}", so it starts empty. ` +
          `Its file was renamed to ${backup} (${(error as Error).message}).`,
      )
      return undefined
    }
  }

  async function writeRecord(id: string, record: SessionRecord): Promise<void> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, fileName(id))
    const draft = `${path}.${randomUUID()}.draft`
    drafts.add(basename(draft))
    const snapshot: SessionSnapshot = { version: 1, id, record }
    const file = await open(draft, 'w')
    try {
      await file.writeFile(JSON.stringify(snapshot))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    drafts.delete(basename(draft))
    await ignoreMissing(touch(path))
    await enqueueCleanup(folder, () => removeLeastRecentlyUsed(fileName(id)))
  }

  async function removeLeastRecentlyUsed(written: string): Promise<void> {
    knownFiles ??= new Set(await listFiles())
    knownFiles.add(written)
    if (knownFiles.size <= maxSessions) return
    const ages: { name: string; usedAt: number }[] = []
    for (const name of knownFiles) {
      const usedAt = await modifiedAt(join(folder, name))
      if (usedAt === undefined) knownFiles.delete(name)
      else if (name !== written) ages.push({ name, usedAt })
    }
    ages.sort((a, b) => a.usedAt - b.usedAt)
    // delete 10% at once, so that a full store does not check every file on every write
    const target = maxSessions - Math.floor(maxSessions / 10)
    const excess = Math.max(knownFiles.size - target, 0)
    for (const { name } of ages.slice(0, excess)) await removeFile(name)
  }

  async function listFiles(): Promise<string[]> {
    const names = await readdir(folder)
    // a crash during a write leaves a draft behind
    for (const name of names) {
      if (name.endsWith('.draft') && !drafts.has(name)) await removeFile(name)
    }
    return names.filter((name) => name.endsWith('.json'))
  }

  async function removeFile(name: string): Promise<void> {
    await rm(join(folder, name), { force: true })
    knownFiles?.delete(name)
  }

  async function modifiedAt(path: string): Promise<number | undefined> {
    return (await ignoreMissing(stat(path)))?.mtimeMs
  }

  /** Marks a file as used now, according to `now`. */
  async function touch(path: string): Promise<void> {
    const seconds = now() / 1000
    await utimes(path, seconds, seconds)
  }
}

/** A hash, because an id can have any length and any characters. */
function fileName(id: string): string {
  return `${createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex').slice(0, 32)}.json`
}

/** Resolves to undefined if the file does not exist. */
async function ignoreMissing<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
