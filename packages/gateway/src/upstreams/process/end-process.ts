import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()
let isHooked = false

/** Whether each child gets its own process group, so that a signal also reaches its descendants. */
export const useProcessGroups: boolean = process.platform !== 'win32'

/** Kills this child when our own process exits, unless our process is killed with SIGKILL. */
export function endOnExit(child: ChildProcess): void {
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
    if (useProcessGroups && child.pid !== undefined) process.kill(-child.pid, name)
    else child.kill(name)
  } catch {
    // it has already ended
  }
}

export interface EndProcessOptions {
  /** How long to wait after closing its stdin, and again after SIGTERM. @default 1_000 */
  readonly graceMs?: number
}

/** Ends a child: closes its stdin, then sends SIGTERM, then SIGKILL, until it exits. */
export async function endProcess(
  child: ChildProcess,
  { graceMs = 1_000 }: EndProcessOptions = {},
): Promise<void> {
  if (child.pid === undefined) return
  child.stdin?.end()
  if (await hasEnded(child, graceMs)) return
  signal(child, 'SIGTERM')
  if (await hasEnded(child, graceMs)) return
  signal(child, 'SIGKILL')
  await hasEnded(child, graceMs)
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
