import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from '../../scripts/services.js'
import { freePort } from './free-port.ts'
import { ended, logOf, runService, signal } from './run-service.ts'
import { createServiceFolder, findAccount } from './service-account.ts'

/** A PostgreSQL of our own, on 127.0.0.1, which accepts every password. */
export interface PostgresServer {
  /** The database `postgres`. */
  readonly url: string
  readonly pid: number
  /** Where it keeps its data. */
  readonly folder: string
  /** Creates an empty database and resolves to its URL. */
  freshDatabase(): Promise<string>
  /** Ends it and all its connections. The data remains. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Stops all its processes from running: connections stay open, but nothing answers. Linux only. */
  freeze(): void
  thaw(): void
  /** Ends it and removes the data. */
  close(): Promise<void>
}

export interface StartPostgresOptions {
  /** Settings in addition to those for tests, such as `shared_buffers`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The process that the server ends with. @default this process */
  readonly owner?: number
}

// Small, and without the guarantees that tests do not need.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '32MB',
  dynamic_shared_memory_type: 'mmap',
}

const START_TIMEOUT_MS = 50_000

/**
 * Starts PostgreSQL with data of its own, for tests that stop it. Others take a `freshDatabase()`, which
 * is quicker. Ends with this process at the latest.
 */
export async function startPostgres({
  settings = {},
  owner = process.pid,
}: StartPostgresOptions = {}): Promise<PostgresServer> {
  const bin = requirePostgres()
  const account = findAccount()
  const folder = createServiceFolder('postgres', account)
  const data = join(folder, 'data')
  const options = { ...account, cwd: folder }
  const initdb = [
    '--pgdata',
    data,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
  ]
  await promisify(execFile)(join(bin, 'initdb'), [...initdb, '--no-locale', '--no-sync'], options)

  let port = await freePort()
  let pid = 0

  async function run(): Promise<void> {
    const values = Object.entries({ ...SETTINGS, ...settings, port: String(port) })
    const args = ['-D', data, ...values.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    pid = await runService(join(bin, 'postgres'), args, { folder, owner, account })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await accepts(urlOf('postgres')))) {
      if (Date.now() > deadline || !signal(pid, 0)) {
        throw new Error(`PostgreSQL does not start:\n${readFileSync(logOf(folder), 'utf8')}`)
      }
      await wait(20)
    }
  }

  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

  const signalAll = (name: NodeJS.Signals) => {
    for (const each of [pid, ...childrenOf(pid)]) signal(each, name)
  }

  async function stop(): Promise<void> {
    if (pid === 0) return
    signalAll('SIGCONT')
    // Without waiting for the clients to disconnect.
    signal(pid, 'SIGINT')
    await ended(pid)
    pid = 0
  }

  async function close(): Promise<void> {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    await run()
  } catch {
    // Another process may have taken the port in the meantime.
    port = await freePort()
    await run()
  }
  return {
    url: urlOf('postgres'),
    get pid() {
      return pid
    },
    folder,
    freshDatabase: async () => urlOf(await createDatabase(urlOf('postgres'))),
    stop,
    start: run,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    close,
  }
}

/** Creates an empty database on the server of a URL and resolves to its name. */
export async function createDatabase(url: string): Promise<string> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return name
}

function requirePostgres(): string {
  const folder = findPostgres()
  if (folder !== undefined) return folder
  throw new Error('The tests need PostgreSQL. Install it with: node scripts/install-services.js')
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return list === '' ? [] : list.split(' ').map(Number)
}
