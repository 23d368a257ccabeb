import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Account } from './service-account.ts'

export interface RunServiceOptions {
  /** The working directory, which also gets the log. It is removed when the owner exits. */
  readonly folder: string
  /** The process that the server ends with, however it ends. @default this process */
  readonly owner?: number
  /** @default the user of this process */
  readonly account?: Account | undefined
}

/**
 * Prints the id of the server's process. Waiting for the server, instead of polling it, removes a stopped
 * one from the list of processes at once.
 */
const KEEPER = `
owner=$1 folder=$2 log=$3
shift 3
"$@" >>"$log" 2>&1 </dev/null &
server=$!
echo $server
(
  while [ -d "/proc/$owner" ] || ps -p "$owner" >/dev/null 2>&1; do sleep 1; done
  kill -CONT $server
  kill -INT $server
  while kill -0 $server; do sleep 1; done
  rm -rf "$folder"
) >/dev/null 2>&1 &
watcher=$!
wait $server
kill $watcher
`

/**
 * Starts a server in the background and resolves to the id of its process.
 *
 * The script is an argument rather than a file: the server's account may not be allowed to read this
 * repository.
 */
export async function runService(
  command: string,
  args: readonly string[],
  { folder, owner = process.pid, account }: RunServiceOptions,
): Promise<number> {
  const keeper = spawn(
    'sh',
    ['-c', KEEPER, 'sh', String(owner), folder, logOf(folder), command, ...args],
    { ...account, cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [line] = await once(createInterface({ input: keeper.stdout }), 'line')
  keeper.stdout.destroy()
  keeper.unref()
  return Number(line)
}

/** The file with the output of the server of a folder. */
export function logOf(folder: string): string {
  return join(folder, 'log')
}

/** Sends a signal. Returns false if there is no such process. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Resolves when the process is gone. */
export async function ended(pid: number): Promise<void> {
  while (signal(pid, 0)) await wait(5)
}
