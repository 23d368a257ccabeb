import type { ChildProcess } from 'node:child_process'

const alive = new Set<ChildProcess>()
let hooked = false

/** Whether children are started as leaders of a process group, so that theirs end with them. */
export const ownGroup: boolean = process.platform !== 'win32'

/** Ends this child with our own process, whatever the way we end short of SIGKILL. */
export function endWithUs(child: ChildProcess): void {
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  if (hooked) return
  hooked = true
  process.on('exit', () => {
    for (const each of alive) signal(each, 'SIGKILL')
  })
}

/** Sends a signal to a child and to all that it started. */
export function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (ownGroup && child.pid !== undefined) process.kill(-child.pid, name)
    else child.kill(name)
  } catch {
    // it is gone already
  }
}

export interface EndProcessOptions {
  /** How long it may take after the end of its input, and again after SIGTERM. @default 1_000 */
  readonly patienceMs?: number
}

/** Ends a child: by the end of its input, by SIGTERM, by SIGKILL, whichever is enough. */
export async function endProcess(
  child: ChildProcess,
  { patienceMs = 1_000 }: EndProcessOptions = {},
): Promise<void> {
  if (child.pid === undefined) return
  child.stdin?.end()
  if (await hasEnded(child, patienceMs)) return
  signal(child, 'SIGTERM')
  if (await hasEnded(child, patienceMs)) return
  signal(child, 'SIGKILL')
  await hasEnded(child, patienceMs)
}

function hasEnded(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true)
  return new Promise((resolve) => {
    const settle = (ended: boolean) => {
      clearTimeout(timer)
      child.off('exit', onExit)
      resolve(ended)
    }
    const onExit = () => settle(true)
    const timer = setTimeout(() => settle(false), withinMs)
    child.once('exit', onExit)
  })
}
