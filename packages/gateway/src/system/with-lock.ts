import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface WithLockOptions {
  /**
   * After this many milliseconds without renewal, a lock is stale: its holder must have crashed.
   * Holders renew their lock four times in that period.
   * @default 60_000
   */
  readonly staleMs?: number
  /** How often to retry while another process holds the lock, in milliseconds. @default 50 */
  readonly retryMs?: number
}

/** The error codes of `rename` if the target folder is not empty; the last two occur on Windows. */
const HELD = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'])

/**
 * Acquires a lock that is shared between processes, waiting if necessary, and runs a task while holding
 * it. If the lock cannot be created, for example in a read-only folder, the task runs without it.
 *
 * The lock is a folder that contains one file, whose name is unique to the holder. One atomic `rename`
 * creates it, and fails while the folder contains a file. To remove a stale lock, a process deletes the
 * holder's file by name, so a slow process can never delete the lock of the next holder.
 */
export async function withLock<Result>(
  lock: string,
  task: () => Promise<Result>,
  { staleMs = 60_000, retryMs = 50 }: WithLockOptions = {},
): Promise<Result> {
  const holder = randomUUID()
  const draft = `${lock}.${holder}`
  if (!(await acquire())) return task()
  const file = join(lock, holder)
  const renewal = setInterval(() => void touch(file), staleMs / 4).unref()
  try {
    return await task()
  } finally {
    clearInterval(renewal)
    await rm(file, { force: true }).catch(() => {})
    // fails if another process already holds the lock
    await rmdir(lock).catch(() => {})
  }

  async function acquire(): Promise<boolean> {
    try {
      await mkdir(draft, { mode: 0o700 })
      await writeFile(join(draft, holder), '')
      while (!(await claim())) {
        await removeStale(lock, staleMs)
        await new Promise((done) => setTimeout(done, retryMs))
      }
      return true
    } catch {
      await rm(draft, { recursive: true, force: true }).catch(() => {})
      return false
    }
  }

  async function claim(): Promise<boolean> {
    // otherwise, after a long wait, the lock would be stale from the start
    await touch(join(draft, holder))
    try {
      await rename(draft, lock)
      return true
    } catch (error) {
      if (HELD.has((error as NodeJS.ErrnoException).code ?? '')) return false
      throw error
    }
  }
}

async function removeStale(lock: string, staleMs: number): Promise<void> {
  const holders = await readdir(lock).catch(() => [])
  for (const holder of holders) {
    const file = join(lock, holder)
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > staleMs) await rm(file, { force: true })
  }
  // Windows cannot rename onto an empty folder; removing one is safe, because a held lock is not empty
  await rmdir(lock).catch(() => {})
}

async function touch(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => {})
}
