import type { ToolDefinition } from 'toolsearch'
import type { Rank } from './contender.ts'

/** Indexes the tools, and answers one query at a time from then on. */
export type Open = (tools: readonly ToolDefinition[], limit: number) => Search | Promise<Search>

type Search = (query: string) => Found | Promise<Found>

interface Found {
  readonly names: readonly string[]
  /**
   * What the search itself took, where the engine can only be reached through something larger.
   * @default the time of the whole call
   */
  readonly ms?: number
}

/** Makes a `Rank` of an engine, with the same clock for all of them. */
export function rankBySearch(open: Open): Rank {
  return async (tools, queries, limit) => {
    const start = performance.now()
    const search = await open(tools, limit)
    const buildMs = performance.now() - start

    const names: (readonly string[])[] = []
    const queryMs: number[] = []
    for (const query of queries) {
      const asked = performance.now()
      const answer = search(query)
      // a search that answers at once is not made to wait for its turn
      const found = answer instanceof Promise ? await answer : answer
      queryMs.push(found.ms ?? performance.now() - asked)
      names.push(found.names.slice(0, limit))
    }
    return { names, buildMs, queryMs }
  }
}
