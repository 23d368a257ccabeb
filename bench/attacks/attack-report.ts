import type { Machine } from '../machine.ts'

/** The result of one run, as `--json` prints it. */
export interface AttackReport {
  readonly date: string
  readonly machine: Machine
  /** By npm package. */
  readonly versions: Readonly<Record<string, string>>
  readonly sets: readonly { readonly name: string; readonly tools: number }[]
  /** How many tools the hostile server has, in turn. */
  readonly counts: readonly number[]
  readonly rows: readonly AttackRow[]
}

/** How one search stands up to one attack on one set. */
export interface AttackRow extends AttackShares {
  readonly contender: string
  readonly side: 'ours' | 'peer'
  readonly set: string
  readonly attack: string
  readonly count: number
  /** How many requests were measured. */
  readonly queries: number
  /** R@5 without the hostile server. */
  readonly recall: number
}

/** Shares of the requests. No hostile tool serves any of them. */
export interface AttackShares {
  /** A hostile tool is the first result. */
  readonly first: number
  /** One is among the first five results. */
  readonly firstFive: number
  /** How much lower R@5 is because of them. */
  readonly lost: number
}
