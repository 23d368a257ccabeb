import { type ChildProcess, spawn } from 'node:child_process'

export interface Child {
  /** Resolves to the exit code, or undefined if a signal ended the process. Never rejects. */
  readonly ended: Promise<number | undefined>
  /** Resolves to the first match in the output. Rejects if the process ends or after `withinMs`. */
  waitForOutput(pattern: RegExp, withinMs: number): Promise<string>
  /** Everything on stdout and stderr so far. */
  readonly output: () => string
  end(): void
}

const running = new Set<ChildProcess>()

// Leave no child behind, however this process ends.
process.once('exit', () => {
  for (const child of running) endGroup(child)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(1))
}

/** Starts a program in its own process group, so that its children end with it. */
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
    waitForOutput(pattern, withinMs) {
      return new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`${args.join(' ')} did not start: ${output}`))
        const timer = setTimeout(fail, withinMs)
        const search = () => {
          const found = pattern.exec(output)
          if (!found) return
          clearTimeout(timer)
          listeners.delete(search)
          resolve(found[0])
        }
        listeners.add(search)
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
    // It has already ended.
  }
}
