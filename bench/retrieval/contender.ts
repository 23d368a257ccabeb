import type { ToolDefinition } from 'toolsearch'

/** Something that finds tools, ours or a peer's. It runs in a process of its own. */
export interface Contender {
  /** As the table calls it. */
  readonly name: string
  readonly side: 'ours' | 'peer'
  /** The published package it is; ours have none. */
  readonly package?: string
  /** The oldest Node that it runs on, where that is newer than ours. */
  readonly node?: string
  /** The file with its `rank`; imported in the child process only. */
  load(): Promise<{ readonly rank: Rank } | Rank>
}

/** Ranks tools for each query. Names come best first, `limit` at most, and none without a score. */
export type Rank = (
  tools: readonly ToolDefinition[],
  queries: readonly string[],
  limit: number,
) => Promise<Rankings>

export interface Rankings {
  /** One list for each query, in their order. */
  readonly names: readonly (readonly string[])[]
  readonly buildMs: number
  /** One for each query, in their order. */
  readonly queryMs: readonly number[]
}
