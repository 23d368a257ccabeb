import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { BENCH } from '../bench-command.ts'

/** A gateway in a process of its own. */
export interface Replica {
  /** With the path. */
  readonly url: string
  readonly process: ChildProcess
  end(): Promise<void>
}

export interface ReplicaOptions {
  readonly configFile: string
  readonly port: number
  /** Where it stores what is not in Redis or PostgreSQL. */
  readonly folder: string
}

const GATEWAY = join(BENCH, '../packages/gateway/dist/command/main.js')
const START_MS = 60_000

/** Starts the built gateway and waits until it is ready. @throws with its log if it does not start */
export async function startReplica({ configFile, port, folder }: ReplicaOptions): Promise<Replica> {
  const { PATH = '', HOME = '' } = process.env
  const args = [GATEWAY, 'serve', '--http', '--port', String(port), '--config', configFile]
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, TOOLSEARCH_CACHE: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-10_000)
  })
  const origin = `http://127.0.0.1:${port}`
  const deadline = Date.now() + START_MS
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The gateway did not start:\n${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url: `${origin}/mcp`,
    process: child,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exit
      clearTimeout(timer)
    },
  }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).ok
  } catch {
    return false
  }
}
