import { type ChildProcess, spawn } from 'node:child_process'

export interface Child {
  /** Resolves to the exit code; undefined for one that was ended. Never rejects. */
  readonly ended: Promise<number | undefined>
  /** Resolves to what the pattern finds in its output. Rejects when it ends or takes too long. */
  said(pattern: RegExp, withinMs: number): Promise<string>
  /** All it wrote so far. */
  readonly output: () => string
  end(): void
}

const running = new Set<ChildProcess>()

// whatever happens to this process, none of them stays
process.once('exit', () => {
  for (const child of running) endGroup(child)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(1))
}

/** Starts a program in a group of its own, so that its children end with it. */
export function startChild(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Child {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code ?? undefined))
  }).finally(() => running.delete(child))

  return {
    ended,
    output: () => output,
    said(pattern, withinMs) {
      return new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`${args.join(' ')} did not start: ${output}`))
        const timer = setTimeout(fail, withinMs)
        const look = () => {
          const found = pattern.exec(output)
          if (!found) return
          clearTimeout(timer)
          listeners.delete(look)
          resolve(found[0])
        }
        listeners.add(look)
        void ended.then(fail)
      })
    },
    end: () => endGroup(child),
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended already
  }
}
