import type { Tool } from 'toolsearch'

/** A search engine to measure. Every engine indexes the same tools and returns names. */
export interface Engine {
  /** The name in the table. */
  readonly name: string
  /** `peer`: a library you could use instead of ours. */
  readonly side: 'ours' | 'peer'
  build(tools: readonly Tool[]): SearchIndex
}

export interface SearchIndex {
  add(tool: Tool): void
  /** Removes the tool from the index at once; marking it for a later cleanup is not enough. */
  remove(tool: Tool): void
  /** The names of the best tools, at most `LIMIT`. */
  search(query: string): readonly string[]
  /** Searches and explains the results, where an engine can. Returns how many tools it explained. */
  explainedSearch?(query: string): number
  /** The search that `explainedSearch` is compared with: the same hits without reasons. */
  plainSearch?(query: string): number
}

export const LIMIT = 10
