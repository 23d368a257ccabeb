import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

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
  /** Stops the server for good. */
  close(): Promise<void>
}

/**
 * Kills the server when its own stdin ends, which happens even if the process of the tests is killed.
 * Prints the id of the server's process.
 */
const SCRIPT =
  'server=$(command -v redis-server || command -v valkey-server); ' +
  '"$server" "$@" >/dev/null 2>&1 & echo $!; read -r _; kill -9 $!'

/** Starts a real Redis, or Valkey, on a free port of 127.0.0.1. @throws if neither is installed */
export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-redis-'))
  const port = await freePort()
  let server: { readonly script: ChildProcess; readonly pid: number } | undefined

  async function start(): Promise<void> {
    const script = spawn('sh', ['-c', SCRIPT, 'sh', ...optionsOf(port, folder)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface({ input: script.stdout! }), 'line')
    server = { script, pid: Number(line) }
    const deadline = Date.now() + 30_000
    while (!(await answers(port))) {
      if (Date.now() < deadline && isAlive(server.pid)) await delay(10)
      else {
        throw new Error(
          'Redis does not start. Is redis-server or valkey-server installed? Run: node scripts/install-services.js',
        )
      }
    }
  }

  async function stop(): Promise<void> {
    if (server === undefined) return
    const { script, pid } = server
    server = undefined
    const exit = once(script, 'exit')
    script.stdin?.end()
    await exit
    while (isAlive(pid)) await delay(5)
  }

  const signal = (name: NodeJS.Signals) => {
    if (server) process.kill(server.pid, name)
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
