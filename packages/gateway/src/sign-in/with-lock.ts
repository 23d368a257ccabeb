import { open, rm, stat } from 'node:fs/promises'

// longer than anything that is done under a lock: who held it for so long has crashed
const STALE_MS = 60_000
const LOOK_MS = 50

/**
 * Runs a task while no other process runs one under the same file. Waits for its turn. Where no file
 * can be made nobody else can make one either, and the task is run.
 */
export async function withLock<Result>(file: string, task: () => Promise<Result>): Promise<Result> {
  let lock = await take(file)
  while (lock === 'taken') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    lock = await take(file)
  }
  try {
    return await task()
  } finally {
    if (lock === 'ours') await rm(file, { force: true }).catch(() => {})
  }
}

async function take(file: string): Promise<'ours' | 'taken' | 'not possible'> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.close()
    return 'ours'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return 'not possible'
    const found = await stat(file).catch(() => undefined)
    const isStale = found && Date.now() - found.mtimeMs > STALE_MS
    if (isStale) await rm(file, { force: true }).catch(() => {})
    return 'taken'
  }
}
