import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { RedisClientType } from '@redis/client'
import { findRedis } from '../../scripts/services.js'
import { freePort } from './free-port.ts'
import { ended, logOf, runService, signal } from './run-service.ts'

/** A Redis server of a test, without persistence. */
export interface TestRedis {
  readonly url: string
  readonly port: number
  /** Kills the server. All data are lost. */
  stop(): Promise<void>
  /** Starts a stopped server again, empty, on the same port. */
  start(): Promise<void>
  /** Freezes the server: connections stay open, nothing is answered. */
  pause(): void
  resume(): void
  /** A connected client, which the caller closes. */
  client(): Promise<RedisClientType>
  /** Stops the server for good. */
  close(): Promise<void>
}

const START_TIMEOUT_MS = 30_000

/** Starts a real Redis, or Valkey, on a free port of 127.0.0.1. @throws if neither is installed */
export async function startRedis(): Promise<TestRedis> {
  const command = findRedis()
  if (command === undefined) {
    throw new Error('The tests need Redis. Install it with: node scripts/install-services.js')
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-redis-'))
  const port = await freePort()
  let pid = 0

  async function start(): Promise<void> {
    pid = await runService(command!, optionsOf(port, folder), { folder })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await answers(port))) {
      if (Date.now() > deadline || !signal(pid, 0)) {
        throw new Error(`Redis does not start:\n${readFileSync(logOf(folder), 'utf8')}`)
      }
      await wait(10)
    }
  }

  async function stop(): Promise<void> {
    if (pid === 0) return
    signal(pid, 'SIGKILL')
    await ended(pid)
    pid = 0
  }

  const url = `redis://127.0.0.1:${port}`
  await start()
  return {
    url,
    port,
    start,
    stop,
    pause: () => {
      if (pid !== 0) signal(pid, 'SIGSTOP')
    },
    resume: () => {
      if (pid !== 0) signal(pid, 'SIGCONT')
    },
    async client() {
      const { createClient } = await import('@redis/client')
      // Not returned directly: the compiler takes ten seconds if it infers type arguments from our return type.
      const client = createClient({ url })
      await client.connect()
      return client
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function optionsOf(port: number, folder: string): string[] {
  const address = ['--bind', '127.0.0.1', '--port', String(port)]
  return [...address, '--dir', folder, '--save', '', '--appendonly', 'no']
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
