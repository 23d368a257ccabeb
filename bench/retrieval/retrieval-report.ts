import type { Machine } from '../machine.ts'
import type { Failure } from './rank-in-child.ts'

/** The result of one run, as `--json` prints it and `results/retrieval.json` stores it. */
export interface RetrievalReport {
  readonly date: string
  readonly machine: Machine
  /** By npm package. */
  readonly versions: Readonly<Record<string, string>>
  readonly sets: readonly SetFigures[]
  /** The sets of the mean: the English public ones, or all if none of those was measured. */
  readonly macroSets: readonly string[]
  /** The mean over these sets, of contenders with figures for each of them. */
  readonly macro: readonly (Named & Macro)[]
  /** Where one of our searches finds less than plain BM25 or the best peer. */
  readonly below: readonly Shortfall[]
}

export interface Shortfall {
  /** Our search. */
  readonly name: string
  readonly set: string
  /** What finds more. */
  readonly than: string
  /** The difference in R@5, below 0. */
  readonly difference: number
}

export interface SetFigures {
  readonly name: string
  readonly tools: number
  readonly queries: number
  /** The peer with the best R@5. */
  readonly bestPeer?: string
  readonly rows: readonly (Named & (Figures | Failure))[]
}

export interface Named {
  readonly name: string
  readonly side: 'ours' | 'peer'
}

export interface Figures extends Macro {
  readonly buildMs: number
  /** R@5 minus that of the best peer, with a 95 % interval; the best peer itself has none. */
  readonly lead?: { readonly difference: number; readonly from: number; readonly to: number }
}

export interface Macro {
  readonly recallAt1: number
  readonly recallAt5: number
  readonly ndcgAt5: number
  readonly p50Ms: number
}
