import { createHash, randomUUID } from 'node:crypto'
import { readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Check, callback, complete, count, name, number } from '../options/check-option.ts'
import { createSerialQueue } from './serial-queue.ts'
import type { SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'
import { ignoreMissing, openVersions, type VersionFolder } from './version-folder.ts'

export interface FileStoreOptions {
  /** Created if it does not exist. Contains one folder per conversation. */
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
 * Stores conversations in a folder, which several processes can share. Each update is atomic: it
 * creates the next version of a record and starts over if another process was faster. A crash
 * leaves either the old or the new version. Needs a file system with hard links.
 */
export function createFileStore(options: FileStoreOptions): SessionStore {
  checkStoreOptions(options, 'options')
  const { maxSessions = 4_096, idleMs = Number.POSITIVE_INFINITY } = options
  // now, so that a later change of the working directory does not move the store
  const folder = resolve(options.folder)
  const { now = Date.now, onWarning = console.warn } = options
  const enqueue = createSerialQueue()
  const enqueueCleanup = createSerialQueue()
  // starts with a letter, because objects list keys that look like integers first
  const writer = `w${randomUUID().slice(0, 8)}`

  return {
    read: (id) =>
      enqueue(id, async () => {
        const versions = open(id)
        const { version, record } = await versions.read()
        if (record === undefined) return undefined
        if (await isIdle(id)) {
          await versions.remove(version)
          return undefined
        }
        await touch(id)
        return record
      }),
    update: (id, change) => enqueue(id, () => update(id, change)),
    forget: (id) => enqueue(id, () => removeSession(folderName(id))),
  }

  async function update(
    id: string,
    change: (record: SessionRecord | undefined) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    const versions = open(id)
    for (;;) {
      const latest = await versions.read()
      const isExpired = latest.record !== undefined && (await isIdle(id))
      const before = isExpired ? undefined : latest.record
      const after = change(before)
      if (after === before || after === undefined) {
        if (before) await touch(id)
        return before
      }
      if (await versions.write(latest, after)) {
        await touch(id)
        if (latest.version === 0) {
          await enqueueCleanup(folder, () => removeLeastRecentlyUsed(folderName(id)))
        }
        return after
      }
    }
  }

  function open(id: string): VersionFolder {
    const path = join(folder, folderName(id))
    return openVersions({
      path,
      id,
      writer,
      async onUnreadable(file, error) {
        const backup = `${path}-${file}.corrupt-${now()}`
        const isRenamed = await ignoreMissing(rename(join(path, file), backup).then(() => true))
        // another process was faster
        if (!isRenamed) return
        // an empty folder would count as a session; fails if another process has written to it
        await rmdir(path).catch(() => {})
        onWarning(
          `toolsearch: cannot read session "${id}", so it starts empty. ` +
            `Its file was renamed to ${backup} (${error.message}).`,
        )
      },
    })
  }

  async function removeLeastRecentlyUsed(written: string): Promise<void> {
    const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{32}$/.test(name))
    if (names.length <= maxSessions) return
    const ages: { name: string; usedAt: number }[] = []
    for (const name of names) {
      const usedAt = await modifiedAt(name)
      if (usedAt !== undefined && name !== written) ages.push({ name, usedAt })
    }
    ages.sort((a, b) => a.usedAt - b.usedAt)
    // delete 10% at once, so that a full store does not check every session for every new one
    const target = maxSessions - Math.floor(maxSessions / 10)
    const excess = Math.max(ages.length + 1 - target, 0)
    for (const { name } of ages.slice(0, excess)) await removeSession(name)
  }

  /** Renames the folder first: a concurrent update then fails and starts over. */
  async function removeSession(name: string): Promise<void> {
    const removed = join(folder, `${name}.${randomUUID()}.removed`)
    await ignoreMissing(rename(join(folder, name), removed))
    await rm(removed, { recursive: true, force: true })
  }

  async function isIdle(id: string): Promise<boolean> {
    if (idleMs === Number.POSITIVE_INFINITY) return false
    const usedAt = await modifiedAt(folderName(id))
    return usedAt !== undefined && now() - usedAt > idleMs
  }

  async function modifiedAt(name: string): Promise<number | undefined> {
    return (await ignoreMissing(stat(join(folder, name))))?.mtimeMs
  }

  /** Marks a session as used now, according to `now`. */
  async function touch(id: string): Promise<void> {
    const seconds = now() / 1000
    await ignoreMissing(utimes(join(folder, folderName(id)), seconds, seconds))
  }
}

/** A hash, because an id can have any length and any characters. */
function folderName(id: string): string {
  return createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex').slice(0, 32)
}
