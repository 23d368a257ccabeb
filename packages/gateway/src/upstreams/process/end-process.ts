import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()
let isHooked = false

/** Whether children lead a process group of their own, so that their own children end with them. */
export const ownGroup: boolean = process.platform !== 'win32'

/** Ends this child when our own process ends in any way other than SIGKILL. */
export function endWithUs(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
  if (isHooked) return
  isHooked = true
  process.on('exit', () => {
    for (const each of children) signal(each, 'SIGKILL')
  })
}

/** Sends a signal to a child and to every process it started. */
export function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (ownGroup && child.pid !== undefined) process.kill(-child.pid, name)
    else child.kill(name)
  } catch {
    // it has already ended
  }
}

export interface EndProcessOptions {
  /** How long to wait after closing its stdin, and again after SIGTERM. @default 1_000 */
  readonly patienceMs?: number
}

/** Ends a child: closes its stdin, then sends SIGTERM, then SIGKILL, until it exits. */
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
