import type { Readable, Writable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'

/** A subcommand of `toolsearch`. */
export interface Command {
  readonly name: string
  /** One line in the list of commands, in the imperative. */
  readonly summary: string
  /** What follows the name, such as `QUERY`. */
  readonly usage: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** One line per option. */
  readonly help: readonly string[]
  readonly examples: readonly string[]
  /** Resolves to the exit code. */
  run(call: CommandCall): Promise<number>
}

/** A list if the option can be repeated. */
export type OptionValue = string | boolean | readonly string[] | undefined

export interface CommandCall {
  readonly values: Readonly<Record<string, OptionValue>>
  readonly args: readonly string[]
  /** Whether the command line contains `--`. */
  readonly hasSeparator?: boolean
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths on the command line are in. */
  readonly cwd: string
  readonly signals: Signals
  readonly stdio: Stdio
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Tells a command that somebody wants it to end. */
interface Signals {
  once(signal: Signal, listener: () => void): unknown
  off(signal: Signal, listener: () => void): unknown
}

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Terminal {
  print(text: string): void
  /** For people: progress, hints. */
  say(text: string): void
  /** For people: something fails, or works worse than configured. @default say */
  warn?(text: string): void
  /** For people: data is lost, or the gateway cannot serve requests. @default warn */
  fail?(text: string): void
  readonly hasColours: boolean
  readonly width: number
}

/** The pipe to the program that started a command, or the terminal of a person. */
export interface Stdio {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
  readonly error: Writable & { readonly isTTY?: boolean }
}

/** Exit code: success. */
export const OK = 0
/** Exit code: the command ran, but the result is negative. */
export const FAILED = 1
/** Exit code: the command line or a file it names is wrong. */
export const WRONG_USAGE = 2

/** Options of every command that reads the configuration. */
export const commonOptions = {
  config: { type: 'string', short: 'c' },
  json: { type: 'boolean' },
} as const

export const commonHelp: readonly string[] = [
  '-c, --config FILE  config file (default: the standard locations)',
  '--json             print JSON',
]

/** Options of commands that answer from cached tools. */
export const cachedOptions = {
  config: { type: 'string', short: 'c' },
  json: { type: 'boolean' },
  refresh: { type: 'boolean' },
} as const

export const cachedHelp: readonly string[] = [
  ...commonHelp,
  '--refresh          connect to every server instead of using cached tools',
]

export const rankerOption = { ranker: { type: 'string' } } as const

export const rankerHelp: string =
  '--ranker ID        ranker to use instead of the configured one: unified, hybrid, bm25, …'
