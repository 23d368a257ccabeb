import type { ToolDefinition } from 'toolsearch'

/** A search to measure, ours or a peer's. It runs in its own process. */
export interface Contender {
  /** The name in the table. */
  readonly name: string
  readonly side: 'ours' | 'peer'
  /** The npm package of a peer. */
  readonly package?: string
  /** The minimum Node version, if it is newer than ours. */
  readonly node?: string
  /** Imports the module with its `rank`. Called only in the child process. */
  load(): Promise<{ readonly rank: Rank } | Rank>
}

/** Ranks the tools for each query: at most `limit` names, best first, without tools that don't match. */
export type Rank = (
  tools: readonly ToolDefinition[],
  queries: readonly string[],
  limit: number,
) => Promise<Rankings>

export interface Rankings {
  /** One list per query, in order. */
  readonly names: readonly (readonly string[])[]
  readonly buildMs: number
  /** One time per query, in order. */
  readonly queryMs: readonly number[]
}
