import type { Tool } from 'toolsearch'
import { median, quantile } from '../statistics.ts'
import type { BenchQuery } from './choose-queries.ts'
import { collectGarbage, time } from './clock.ts'
import type { Engine, SearchIndex } from './engine.ts'
import { sampleEvenly } from './sample-evenly.ts'

/** Milliseconds, after a warm-up. */
export interface Times {
  /** The best round, including the first search. */
  readonly build: number
  /** The median for one tool. */
  readonly add: number
  /** The median for one tool. */
  readonly remove: number
  /** Over the median of each query's rounds, so that one slow round doesn't count. */
  readonly searchP50: number
  readonly searchP99: number
  readonly shortP50: number
  readonly sentenceP50: number
  /** For queries in other languages, which the other figures leave out. */
  readonly foreignP50?: number
  /** The median of removing a tool, adding it again and searching, which may update the index. */
  readonly changeAndSearch: number
  /** The time of an explained search divided by that of a plain one. Not measured for peers. */
  readonly explainedRatio?: number
  /** How many queries ran before the time limit. */
  readonly queries: number
}

export interface Effort {
  readonly buildRounds: number
  readonly changeRounds: number
  readonly searchRounds: number
  /** An engine that takes longer than this runs only some of the queries. */
  readonly secondsForSearchRound: number
}

export interface TimesRequest {
  readonly engines: readonly Engine[]
  readonly tools: readonly Tool[]
  readonly queries: readonly BenchQuery[]
  readonly effort: Effort
}

interface Runner {
  readonly engine: Engine
  index: SearchIndex
  builds: number[]
  adds: number[]
  removes: number[]
  searches: Map<BenchQuery, number[]>
  plain: Map<BenchQuery, number[]>
  explained: Map<BenchQuery, number[]>
  changes: number[]
}

const CHANGED_TOOLS = 200
const SEARCHED_CHANGES = 10
const FIRST_QUERY = 'create an issue'

/** Engines take turns in each round, so that a slow phase of the machine affects all of them. */
export function measureTimes(request: TimesRequest): Record<string, Times> {
  const { engines, tools, queries, effort } = request
  const changed = sampleEvenly(tools, CHANGED_TOOLS)
  const runners = engines.map(newRunner)

  inTurns(runners, effort.buildRounds, (runner) => build(runner, tools))
  inTurns(runners, 1, (runner) => change(runner, changed))
  for (const runner of runners) Object.assign(runner, { adds: [], removes: [] })
  inTurns(runners, effort.changeRounds, (runner) => change(runner, changed))

  const seconds = effort.secondsForSearchRound
  inTurns(runners, 1, (runner) => search(runner, queries, seconds))
  for (const runner of runners) runner.searches = new Map()
  inTurns(runners, effort.searchRounds, (runner) => search(runner, queries, seconds))

  for (let round = 0; round <= effort.searchRounds; round++) {
    // The first round warms up.
    if (round === 1) for (const runner of runners) Object.assign(runner, emptyTimes())
    inTurns(runners, 1, (runner) => explainSearches(runner, queries, seconds))
  }

  inTurns(runners, effort.changeRounds, (runner) => changeAndSearch(runner, changed, queries))
  return Object.fromEntries(runners.map((runner) => [runner.engine.name, summary(runner)]))
}

function newRunner(engine: Engine): Runner {
  const index = engine.build([])
  const times = { builds: [], adds: [], removes: [], searches: new Map(), changes: [] }
  return { engine, index, ...times, ...emptyTimes() }
}

function emptyTimes(): Pick<Runner, 'plain' | 'explained'> {
  return { plain: new Map(), explained: new Map() }
}

function inTurns(runners: readonly Runner[], rounds: number, turn: (runner: Runner) => void): void {
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < runners.length; at++) {
      collectGarbage()
      turn(runners[(round + at) % runners.length]!)
    }
  }
}

function build(runner: Runner, tools: readonly Tool[]): void {
  // Free the index of the previous round before building the new one.
  runner.index = runner.engine.build([])
  collectGarbage()
  const took = time(() => {
    runner.index = runner.engine.build(tools)
    runner.index.search(FIRST_QUERY)
  })
  runner.builds.push(took)
}

function change({ index, adds, removes }: Runner, tools: readonly Tool[]): void {
  for (const tool of tools) removes.push(time(() => index.remove(tool)))
  for (const tool of tools) adds.push(time(() => index.add(tool)))
}

function search(runner: Runner, queries: readonly BenchQuery[], seconds: number): void {
  const { engine, index, searches } = runner
  const until = performance.now() + seconds * 1000
  let found = 0
  for (const query of queries) {
    record(searches, query, () => {
      found += index.search(query.text).length
    })
    if (performance.now() > until) break
  }
  if (found === 0) throw new Error(`${engine.name} returned no results for any query.`)
}

/** Plain and explained searches take turns, so that a disturbance of the machine hits both alike. */
function explainSearches(
  { index, plain, explained }: Runner,
  queries: readonly BenchQuery[],
  seconds: number,
): void {
  const { plainSearch, explainedSearch } = index
  if (!plainSearch || !explainedSearch) return
  const until = performance.now() + seconds * 1000
  for (const query of queries) {
    record(plain, query, () => plainSearch(query.text))
    record(explained, query, () => explainedSearch(query.text))
    if (performance.now() > until) break
  }
}

function record(times: Map<BenchQuery, number[]>, query: BenchQuery, search: () => void): void {
  const took = time(search)
  const rounds = times.get(query)
  if (rounds) rounds.push(took)
  else times.set(query, [took])
}

function changeAndSearch(
  { index, changes }: Runner,
  tools: readonly Tool[],
  queries: readonly BenchQuery[],
): void {
  for (const tool of sampleEvenly(tools, SEARCHED_CHANGES)) {
    const { text } = queries[changes.length % queries.length]!
    const took = time(() => {
      index.remove(tool)
      index.add(tool)
      index.search(text)
    })
    changes.push(took)
  }
}

function summary(runner: Runner): Times {
  const { builds, adds, removes, searches, changes, plain, explained } = runner
  const medians = [...searches].map(([{ kind }, rounds]) => ({ kind, took: median(rounds) }))
  const took = (...kinds: BenchQuery['kind'][]) =>
    medians.filter(({ kind }) => kinds.includes(kind)).map(({ took }) => took)
  const english = took('short', 'sentence')
  const foreign = took('foreign')
  return {
    build: Math.min(...builds),
    add: median(adds),
    remove: median(removes),
    searchP50: median(english),
    searchP99: quantile(english, 0.99),
    shortP50: median(took('short')),
    sentenceP50: median(took('sentence')),
    ...(foreign.length > 0 && { foreignP50: median(foreign) }),
    changeAndSearch: median(changes),
    ...(explained.size > 0 && { explainedRatio: medianOf(explained) / medianOf(plain) }),
    queries: searches.size,
  }
}

function medianOf(times: ReadonlyMap<BenchQuery, readonly number[]>): number {
  return median([...times.values()].map(median))
}
