import type { ToolDefinition } from 'toolsearch'
import type { Rank } from './contender.ts'

/** Indexes the tools and returns a search over them. */
export type Open = (tools: readonly ToolDefinition[], limit: number) => Search | Promise<Search>

type Search = (query: string) => Found | Promise<Found>

interface Found {
  readonly names: readonly string[]
  /**
   * The time of the search itself, if the engine runs only as part of something larger.
   * @default the time of the whole call
   */
  readonly ms?: number
}

/** Turns a search into a `Rank`, so that every engine is timed in the same way. */
export function rankBySearch(open: Open): Rank {
  return async (tools, queries, limit) => {
    const start = performance.now()
    const search = await open(tools, limit)
    const buildMs = performance.now() - start

    const names: (readonly string[])[] = []
    const queryMs: number[] = []
    for (const query of queries) {
      const begin = performance.now()
      const answer = search(query)
      // Awaiting a synchronous result would add a microtask to its time.
      const found = answer instanceof Promise ? await answer : answer
      queryMs.push(found.ms ?? performance.now() - begin)
      names.push(found.names.slice(0, limit))
    }
    return { names, buildMs, queryMs }
  }
}
