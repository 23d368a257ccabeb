import type { Machine } from '../machine.ts'
import type { FirstBuild } from './measure-heap.ts'
import type { Times } from './measure-times.ts'

/** The result of one run, as `--json` prints it and `results/speed.json` stores it. */
export interface SpeedReport {
  readonly date: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly queries: { readonly short: number; readonly sentences: number }
  /** Definitions that our catalogue rejects; they are left out for every engine. */
  readonly rejected: number
  readonly catalogues: readonly CatalogueFigures[]
}

export interface CatalogueFigures {
  readonly tools: number
  readonly engines: readonly EngineFigures[]
  /** Engines not measured at this size. */
  readonly skipped: readonly string[]
}

export type EngineFigures = { readonly name: string; readonly side: 'ours' | 'peer' } & Times &
  FirstBuild
