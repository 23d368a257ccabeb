import { EventEmitter } from 'node:events'
import { PassThrough, type Readable, Writable } from 'node:stream'
import type { CommandCall } from './command.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'
import { createTerminal } from './terminal.ts'

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A command that runs in the process of the test. */
export interface CommandHere {
  /** What it has printed so far. */
  readonly out: string
  readonly err: string
  /** Undefined while it runs. */
  readonly code: number | undefined
  /** Like a signal to its process. */
  kill(signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void
  /** What a client that starts it writes and reads. */
  readonly stdin: Writable
  readonly stdout: Readable
  /** Rejects with errors that would end a process with a stack trace. */
  readonly ended: Promise<CommandResult>
}

interface Place extends Pick<CommandCall, 'env' | 'cwd'> {
  /** The width of the terminal. */
  readonly columns?: number
  /** Whether a person at a terminal can answer questions. */
  readonly isTTY?: boolean
  /** Called with each text when it is printed. */
  readonly onPrint?: (text: string) => void
}

/**
 * Runs a command line as `main.ts` does, but in the process of the test: starting a process takes many
 * times the CPU time of most commands.
 */
export function startHere(
  line: readonly string[],
  { env, cwd, columns, isTTY = false, onPrint }: Place,
): CommandHere {
  const printed = { out: '', err: '' }
  const output = (name: 'out' | 'err') => ({
    write(text: string) {
      printed[name] += text
      onPrint?.(text)
    },
    ...(columns !== undefined && { columns }),
  })
  const signals = new EventEmitter()
  const error = new Writable({
    write(piece, _, done) {
      output('err').write(String(piece))
      done()
    },
  })
  const stdio = {
    input: Object.assign(new PassThrough(), { isTTY }),
    output: new PassThrough(),
    error: Object.assign(error, { isTTY }),
  }
  let code: number | undefined
  const ended = runCommand(line, {
    commands,
    version: '1',
    terminal: createTerminal(output('out'), output('err'), env),
    env,
    cwd,
    signals,
    stdio,
  }).then((result) => {
    code = result
    return { code, ...printed }
  })
  // The caller who waits for the end gets the error.
  ended.catch(() => {})
  return {
    get out() {
      return printed.out
    },
    get err() {
      return printed.err
    },
    get code() {
      return code
    },
    stdin: stdio.input,
    stdout: stdio.output,
    kill: (signal = 'SIGTERM') => void signals.emit(signal),
    ended,
  }
}

/** Runs a command line to its end. */
export function runHere(line: readonly string[], place: Place): Promise<CommandResult> {
  return startHere(line, place).ended
}
