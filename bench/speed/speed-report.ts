import type { Machine } from '../machine.ts'
import type { BuildFigures } from './measure-build.ts'
import type { SessionFigures } from './measure-session.ts'
import type { Times } from './measure-times.ts'

/** The result of one run, as `--json` prints it and `results/speed.json` stores it. */
export interface SpeedReport {
  readonly date: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly queries: {
    readonly short: number
    readonly sentences: number
    readonly foreign: number
  }
  /** Definitions that our catalogue rejects; they are left out for every engine. */
  readonly rejected: number
  readonly catalogues: readonly CatalogueFigures[]
  /** Comparisons on which the runs disagree, as sentences. */
  readonly warnings: readonly string[]
}

export interface CatalogueFigures {
  readonly tools: number
  readonly engines: readonly EngineFigures[]
  readonly session: Values<SessionFigures>
  /** Engines not measured at this size. */
  readonly skipped: readonly string[]
}

export interface EngineFigures {
  readonly name: string
  readonly side: 'ours' | 'peer'
  readonly values: Values<Times & BuildFigures>
}

/**
 * For each figure, its value in every process. In the processes that measure `Times`, all engines take
 * turns, so values at the same position can be compared. The same holds for rounds of `BuildFigures`.
 */
export type Values<Figures> = { readonly [Name in keyof Figures]: readonly number[] }

/** Turns the results of several processes into the values of each figure. */
export function valuesOf<Figures extends object>(results: readonly Figures[]): Values<Figures> {
  const names = Object.keys(results[0] ?? {}) as (keyof Figures)[]
  return Object.fromEntries(
    names.map((name) => [name, results.map((result) => result[name])]),
  ) as unknown as Values<Figures>
}
