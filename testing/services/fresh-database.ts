import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { currentRun } from '../temporary-files/current-run.ts'
import { ended, signal } from './run-service.ts'
import { createDatabase, type PostgresServer, startPostgres } from './start-postgres.ts'

/**
 * Creates an empty database and resolves to its URL. All test files of one run share a server, which
 * starts with the first call and ends with the run.
 */
export async function freshDatabase(): Promise<string> {
  shared ??= findOrStart()
  const url = new URL((await shared).url)
  url.pathname = await createDatabase(url.href)
  return url.href
}

/** Ends the server that the test files of a run shared, and removes its data. */
export async function closeSharedDatabase(run: string): Promise<void> {
  const address = addressIn(run)
  if (existsSync(address)) {
    const { pid, folder } = readServer(address)
    signal(pid, 'SIGINT')
    await ended(pid)
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(dirname(address), { recursive: true, force: true })
}

type SharedServer = Pick<PostgresServer, 'url' | 'pid' | 'folder'>

let shared: Promise<SharedServer> | undefined

const addressIn = (run: string) => join(run, 'shared-database', 'server.json')

function readServer(address: string): SharedServer {
  return JSON.parse(readFileSync(address, 'utf8'))
}

async function findOrStart(): Promise<SharedServer> {
  const run = currentRun()
  // Not a test: for example a sample that somebody runs by hand.
  if (run === undefined) return startPostgres()
  const address = addressIn(run.folder)
  const folder = dirname(address)
  try {
    // Only one process succeeds.
    mkdirSync(folder)
  } catch {
    while (!existsSync(address)) {
      if (!existsSync(folder)) return findOrStart()
      await wait(50)
    }
    return readServer(address)
  }
  try {
    const { url, pid, folder } = await startPostgres({ owner: run.pid })
    writeFileSync(`${address}.new`, JSON.stringify({ url, pid, folder }))
    renameSync(`${address}.new`, address)
    return { url, pid, folder }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
