import { execFile, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from '../../scripts/find-postgres.js'
import { freePort } from './free-port.ts'

/** A PostgreSQL of our own, on 127.0.0.1, which accepts every password. */
export interface PostgresServer {
  /** The database `postgres`. */
  readonly url: string
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
  /** @default a new folder for temporary files */
  readonly folder?: string
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
const keeper = fileURLToPath(new URL('keep-service.sh', import.meta.url))

/**
 * Starts PostgreSQL with data of its own, for tests that stop it. Others take a `freshDatabase()`, which
 * is quicker. Ends with this process at the latest.
 */
export async function startPostgres({
  settings = {},
  owner = process.pid,
  folder = mkdtempSync(join(tmpdir(), 'toolsearch-postgres-')),
}: StartPostgresOptions = {}): Promise<PostgresServer> {
  const bin = requirePostgres()
  const account = await findAccount()
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
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
    const log = openSync(join(folder, 'log'), 'a')
    const values = Object.entries({ ...SETTINGS, ...settings, port: String(port) })
    const args = ['-D', data, ...values.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const command = [keeper, String(owner), folder, join(bin, 'postgres'), ...args]
    const child = spawn('sh', command, { ...options, detached: true, stdio: ['ignore', log, log] })
    child.unref()
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await accepts(urlOf('postgres')))) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL does not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
      }
      await wait(20)
    }
    pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

  async function stop(): Promise<void> {
    if (pid === 0) return
    signal(pid, 'SIGCONT')
    // Without waiting for the clients to disconnect.
    signal(pid, 'SIGINT')
    while (signal(pid, 0)) await wait(20)
    pid = 0
  }

  try {
    await run()
  } catch {
    // Another process may have taken the port in the meantime.
    port = await freePort()
    await run()
  }
  return {
    get url() {
      return urlOf('postgres')
    },
    freshDatabase: async () => urlOf(await createDatabase(urlOf('postgres'))),
    stop,
    start: run,
    freeze: () => {
      for (const each of [pid, ...childrenOf(pid)]) signal(each, 'SIGSTOP')
    },
    thaw: () => {
      for (const each of [pid, ...childrenOf(pid)]) signal(each, 'SIGCONT')
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
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

// PostgreSQL refuses to run as root.
async function findAccount(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.platform === 'win32' || userInfo().uid !== 0) return undefined
  const idOf = async (option: string): Promise<number> =>
    Number((await promisify(execFile)('id', [option, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
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

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return list === '' ? [] : list.split(' ').map(Number)
}
