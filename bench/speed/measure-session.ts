import { createToolSearch, type Tool } from 'toolsearch'
import { median, quantile } from '../statistics.ts'
import type { BenchQuery } from './choose-queries.ts'
import { collectGarbage } from './clock.ts'

/** Milliseconds of a conversation with the default preset and the memory store. */
export interface SessionFigures {
  /** From the definitions of the tools to the first request. */
  readonly firstTurn: number
  /** The median of the turns after that, each in a conversation that has loaded tools. */
  readonly laterTurn: number
  /** `session.search`, over all searches, not over the medians of queries. */
  readonly searchP50: number
  readonly searchP99: number
}

const SESSIONS = 20

export async function measureSession(
  tools: readonly Tool[],
  queries: readonly BenchQuery[],
): Promise<SessionFigures> {
  collectGarbage()
  const start = performance.now()
  const toolSearch = createToolSearch({ tools })
  const first = await toolSearch.session('first')
  await first.turn()
  const firstTurn = performance.now() - start

  // The first search builds the index, and the following ones warm up the code.
  for (const { text } of queries.slice(0, 100)) await first.search({ query: text })

  const searches: number[] = []
  const turns: number[] = []
  for (let at = 0; at < SESSIONS; at++) {
    const session = await toolSearch.session(`session-${at}`)
    for (let i = at; i < queries.length; i += SESSIONS) {
      const query = { query: queries[i]!.text }
      searches.push(await time(() => session.search(query)))
    }
    turns.push(await time(() => session.turn()))
  }
  return {
    firstTurn,
    laterTurn: median(turns),
    searchP50: median(searches),
    searchP99: quantile(searches, 0.99),
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
