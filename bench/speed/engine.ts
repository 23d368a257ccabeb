import type { Tool } from 'toolsearch'

/** A search engine under test. All of them start from the same tools and give back names. */
export interface Engine {
  /** As the table calls it. */
  readonly name: string
  /** `peer`: what others use in our place. */
  readonly side: 'ours' | 'peer'
  build(tools: readonly Tool[]): SearchIndex
}

export interface SearchIndex {
  add(tool: Tool): void
  /** The tool is gone for good when this returns, not merely marked. */
  remove(tool: Tool): void
  /** The names of the best tools, `LIMIT` at most. */
  search(query: string): readonly string[]
  /** Searches and explains the results, where an engine can. Returns how many tools it explained. */
  explainedSearch?(query: string): number
  /** The search that `explainedSearch` is compared with: the same hits without reasons. */
  plainSearch?(query: string): number
}

export const LIMIT = 10
