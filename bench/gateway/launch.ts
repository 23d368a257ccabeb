import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender, Server } from './contender.ts'
import { connectHttp, connectSse } from './http-client.ts'
import type { McpClient } from './mcp-client.ts'
import { connectStdio } from './stdio-client.ts'

/** A running contender that has listed its tools. */
export interface Running {
  readonly contender: Contender
  readonly client: McpClient
  /** Time from the start to the first list of tools. */
  readonly startMs: number
  /** The first list of tools. */
  readonly tools: readonly unknown[]
  /** Resident memory of its process, in bytes; undefined where the system doesn't report it. */
  memory(): number | undefined
  end(): Promise<void>
}

const LOOPBACK = fileURLToPath(new URL('./loopback-only.cjs', import.meta.url))

/** Starts a contender in front of some servers. On a timeout, ends its processes and rejects. */
export async function launch(
  contender: Contender,
  servers: readonly Server[],
  { folder, withinMs }: { folder: string; withinMs: number },
): Promise<Running> {
  const port = contender.path === undefined ? 0 : await freePort()
  const own = join(folder, `${contender.name}-${contender.transport}`.replaceAll(' ', '-'))
  const { args, env = {} } = contender.start({ servers, folder: own, port })
  const { PATH = '', HOME = '' } = process.env
  const listens = contender.path !== undefined
  const begin = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...(listens && { NODE_OPTIONS: `--require ${LOOPBACK}` }), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Its own process group, so that its children can be ended with it.
    detached: true,
  })
  child.stdin!.on('error', () => {})
  if (listens) child.stdout!.resume()
  try {
    const client = await within(withinMs, connect(contender, child, port))
    const list = await within(withinMs - (performance.now() - begin), listTools(client))
    return {
      contender,
      client,
      startMs: performance.now() - begin,
      tools: list,
      memory: () => residentBytes(child.pid),
      async end() {
        await client.close()
        await endGroup(child)
      },
    }
  } catch (error) {
    await endGroup(child)
    throw error
  }
}

async function listTools(client: McpClient): Promise<readonly unknown[]> {
  const { tools } = await client.request('tools/list')
  return tools as unknown[]
}

async function connect(
  contender: Contender,
  child: ChildProcess,
  port: number,
): Promise<McpClient> {
  if (contender.path === undefined) return connectStdio(child)
  const url = `http://127.0.0.1:${port}${contender.path}`
  for (;;) {
    try {
      return await (contender.speaksSse ? connectSse(url) : connectHttp(url))
    } catch (error) {
      // It doesn't listen yet.
      if ((error as { code?: unknown }).code !== 'ECONNREFUSED') throw error
      if (child.exitCode !== null) throw new Error(`exited with code ${child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

/** Rejects if the promise takes longer than `ms`. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${Math.round(ms / 1000)} s`)),
      Math.max(1, ms),
    )
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
  signal(child, 'SIGTERM')
  const timer = setTimeout(() => signal(child, 'SIGKILL'), 2_000)
  await ended
  clearTimeout(timer)
  signal(child, 'SIGKILL')
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // The group has already ended.
  }
}

function residentBytes(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  } catch {
    // Only Linux has /proc.
    return undefined
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
