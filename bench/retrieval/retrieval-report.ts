import type { Machine } from '../speed/machine.ts'
import type { Failure } from './rank-in-child.ts'

/** All that one run found out. `--json` prints it and `results/retrieval.json` holds it. */
export interface RetrievalReport {
  readonly date: string
  readonly machine: Machine
  /** By package; ours is `toolsearch`. */
  readonly versions: Readonly<Record<string, string>>
  readonly sets: readonly SetFigures[]
  /** The mean over the sets, of those that have figures for every set. */
  readonly macro: readonly (Named & Macro)[]
}

export interface SetFigures {
  readonly name: string
  readonly tools: number
  readonly mended: number
  readonly queries: number
  /** The peer with the best R@5, if one has figures. */
  readonly bestPeer?: string
  readonly rows: readonly (Named & (Figures | Failure))[]
}

export interface Named {
  readonly name: string
  readonly side: 'ours' | 'peer'
}

export interface Figures extends Macro {
  readonly buildMs: number
  /** R@5 less that of the best peer, with a 95 % interval; the best peer itself has none. */
  readonly lead?: { readonly difference: number; readonly from: number; readonly to: number }
}

export interface Macro {
  readonly recallAt1: number
  readonly recallAt5: number
  readonly ndcgAt5: number
  readonly p50Ms: number
}
