import { createToolSearch, fieldedRanker, hybridRanker, type Ranker, type Tool } from 'toolsearch'
import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { createLearning, type Learning } from 'toolsearch/learning'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { scoreQuery } from '../../packages/toolsearch/src/evaluation/score-query.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import { mean } from '../statistics.ts'
import type { LearnedSet } from './learning-report.ts'
import { splitUses } from './split-uses.ts'

export const PEOPLE = 20
export const WRONG_CHOICES = 50
export const REPETITIONS = 50
/** Requests of one tool: enough to learn from, and few enough that no tool decides. */
const PER_TOOL = 8

export const RANKERS: Readonly<Record<string, () => Ranker>> = {
  keywords: () => fieldedRanker(),
  hybrid: () => hybridRanker({ vectors: loadStaticEmbedder() }),
}

export interface MeasuredSet {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly queries: readonly EvaluationQuery[]
}

/** Replays the use of one half of the requests, and measures the other half before and after. */
export async function measureLearning(
  { name, tools, queries }: MeasuredSet,
  ranker: string,
  count: number,
): Promise<Omit<LearnedSet, 'isInView'>> {
  const { first, second } = splitUses(queries, { count, perTool: PER_TOOL })
  const before = open(tools, ranker)
  const learned = open(tools, ranker)
  await replay(learned, first)
  const foundOnly = open(tools, ranker)
  await replay(foundOnly, first, { givesUp: true })
  const result = {
    set: name,
    ranker,
    tools: tools.length,
    used: first.length,
    measured: second.length,
    without: recall(before, second),
    learned: recall(learned, second),
    foundOnly: recall(foundOnly, second),
  }
  await attack(learned, first)
  return { ...result, attacked: recall(learned, second) }
}

interface Search {
  readonly toolSearch: ReturnType<typeof createToolSearch>
  readonly learning: Learning
}

/** A search that returns every request's best five, however doubtful. */
function open(tools: readonly Tool[], ranker: string): Search {
  const learning = createLearning({ maxUses: 10_000 })
  const toolSearch = createToolSearch({
    tools,
    ranker: RANKERS[ranker]!,
    selection: { band: 0, confidence: { sure: 1, doubtful: 0 }, defaultLimit: 5 },
    validate: () => [],
    activation: 'always',
    learning,
  })
  return { toolSearch, learning }
}

function recall({ toolSearch }: Search, queries: readonly EvaluationQuery[]): number {
  const scores = queries.map((query) => {
    const { hits } = toolSearch.search(query.query, { limit: 5, person: 'somebody else' })
    return scoreQuery(
      hits.map(({ tool }) => tool.name),
      labelsOf(query),
    ).recallAt5
  })
  return 100 * mean(scores)
}

/**
 * Each request is searched and its tools are called. If the search does not return a tool, the agent
 * finds it in another way and calls it then, unless it gives up.
 */
async function replay(
  { toolSearch }: Search,
  queries: readonly EvaluationQuery[],
  { givesUp = false } = {},
): Promise<void> {
  for (const [at, query] of queries.entries()) {
    const session = await toolSearch.session(`use ${at}`, { person: `person ${at % PEOPLE}` })
    const { outcome } = await session.search({ query: query.query })
    for (const label of labelsOf(query)) {
      const hit = outcome.hits.find(({ tool }) => label.has(tool.name))
      const name = hit?.tool.name ?? [...label].find((one) => toolSearch.catalogue.has(one))
      if (name === undefined || (givesUp && !hit)) continue
      if (!hit) await session.search({ query: `select:${name}` })
      await session.answer({ name, arguments: {} })
    }
  }
}

/** One person calls the best-ranked wrong tool, again and again. */
async function attack({ toolSearch }: Search, queries: readonly EvaluationQuery[]): Promise<void> {
  for (const [at, query] of pickEvenly(queries, WRONG_CHOICES).entries()) {
    const session = await toolSearch.session(`attack ${at}`, { person: 'adversary' })
    const right = new Set(labelsOf(query).flatMap((label) => [...label]))
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const { outcome } = await session.search({ query: query.query })
      const wrong = outcome.hits.find(({ tool }) => !right.has(tool.name))
      if (wrong) await session.answer({ name: wrong.tool.name, arguments: {} })
    }
  }
}
