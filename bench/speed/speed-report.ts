import type { Machine } from './machine.ts'
import type { FirstBuild } from './measure-heap.ts'
import type { Times } from './measure-times.ts'

/** All that one run found out. `--json` prints it and `results/speed.json` holds it. */
export interface SpeedReport {
  readonly date: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly queries: { readonly short: number; readonly sentences: number }
  /** Definitions of the real catalogue that our checks refuse; no engine was given them. */
  readonly refused: number
  readonly catalogues: readonly CatalogueFigures[]
}

export interface CatalogueFigures {
  readonly tools: number
  readonly engines: readonly EngineFigures[]
  /** Engines that were not measured at this size. */
  readonly skipped: readonly string[]
}

export type EngineFigures = { readonly name: string; readonly side: 'ours' | 'peer' } & Times &
  FirstBuild
