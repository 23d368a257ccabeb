import type { ParseArgsConfig } from 'node:util'

/** One verb of the `toolsearch` command. */
export interface Command {
  readonly name: string
  /** One line in the list of commands. */
  readonly summary: string
  /** What follows the name, such as `QUERY`. */
  readonly usage: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** A line for each option, and one for each example. */
  readonly help: readonly string[]
  readonly examples: readonly string[]
  /** Gives the exit code. */
  run(call: CommandCall): Promise<number>
}

export interface CommandCall {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly words: readonly string[]
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where a command writes: results to one stream, everything else to the other. */
export interface Terminal {
  print(text: string): void
  /** For people: progress, warnings, hints. */
  say(text: string): void
  readonly hasColours: boolean
  readonly width: number
}

/** Exit codes: everything is well; something the person asked about is not; the command was wrong. */
export const OK = 0
export const NOT_WELL = 1
export const WRONG_USE = 2
