import { createToolSearch, type Tool, type ToolSearch } from 'toolsearch'
import { median, quantile } from '../statistics.ts'
import type { BenchQuery } from './choose-queries.ts'
import { collectGarbage } from './clock.ts'

/** Milliseconds of conversations with the default preset and the memory store. */
export interface SessionFigures {
  /** `createToolSearch({ tools })`. */
  readonly create: number
  /** The first turn of the first conversation. */
  readonly firstTurn: number
  /** The median of the following turns, each after searches that loaded tools. */
  readonly laterTurn: number
  /** `session.search`, over all searches, not over the medians of queries. */
  readonly searchP50: number
  readonly searchP99: number
}

const TURNS = 15
const SEARCHES_PER_TURN = 2
const SEARCHES_PER_SESSION = 20

export async function measureSession(
  tools: readonly Tool[],
  queries: readonly BenchQuery[],
): Promise<SessionFigures> {
  const texts = queries.map(({ text }) => text)
  collectGarbage()
  let toolSearch: ToolSearch | undefined
  const create = await time(async () => {
    toolSearch = createToolSearch({ tools })
  })
  const first = await toolSearch!.session('first')
  const firstTurn = await time(() => first.turn())

  const turns: number[] = []
  for (let at = 0; at < TURNS; at++) {
    for (const query of texts.slice(at * SEARCHES_PER_TURN, (at + 1) * SEARCHES_PER_TURN)) {
      await first.search({ query })
    }
    turns.push(await time(() => first.turn()))
  }

  // The first round warms up the code.
  let searches: number[] = []
  for (const round of ['warm-up', 'measured']) {
    searches = []
    for (let from = 0; from < texts.length; from += SEARCHES_PER_SESSION) {
      const session = await toolSearch!.session(`${round}-${from}`)
      for (const query of texts.slice(from, from + SEARCHES_PER_SESSION)) {
        searches.push(await time(() => session.search({ query })))
      }
    }
  }
  return {
    create,
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
