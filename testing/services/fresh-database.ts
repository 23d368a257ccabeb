import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { createDatabase, startPostgres } from './start-postgres.ts'

/**
 * Creates an empty database and resolves to its URL. All test files of one run share a server, which
 * starts with the first call and ends with the run.
 */
export async function freshDatabase(): Promise<string> {
  shared ??= findOrStart()
  const url = new URL(await shared)
  url.pathname = await createDatabase(url.href)
  return url.href
}

let shared: Promise<string> | undefined

/** The process that all test files of a run have in common. */
function findRun(): number {
  const isWorker = process.env.VITEST_WORKER_ID !== undefined && isMainThread
  return isWorker ? process.ppid : process.pid
}

async function findOrStart(): Promise<string> {
  const owner = findRun()
  const folder = join(tmpdir(), `toolsearch-postgres-of-${owner}`)
  const address = join(folder, 'url')
  try {
    // Only one process succeeds.
    mkdirSync(folder)
  } catch {
    while (!existsSync(address)) {
      if (!existsSync(folder)) return findOrStart()
      await wait(50)
    }
    return readFileSync(address, 'utf8')
  }
  try {
    const { url } = await startPostgres({ owner, folder })
    writeFileSync(`${address}.new`, url)
    renameSync(`${address}.new`, address)
    return url
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
