import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { seededRandom } from '../../packages/toolsearch/src/evaluation/seeded-random.ts'
import { useTerms } from '../../packages/toolsearch/src/learning/use-words.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'

/** The requests for one tool. */
export type ToolRequests<Query> = readonly Query[]

/** Requests that are used, and requests that are measured. */
export interface Split<Query> {
  readonly used: readonly Query[]
  readonly measured: readonly Query[]
}

/**
 * Groups requests by the tool they are for. Tools with one request are left out: they tell nothing
 * about learning. Of requests with the same words, in any order and with any endings, only one is kept.
 *
 * @param count how many requests all groups may have together
 * @param perTool how many requests of one tool
 */
export function requestsByTool<Query extends EvaluationQuery>(
  queries: readonly Query[],
  { count, perTool }: { readonly count: number; readonly perTool: number },
): readonly ToolRequests<Query>[] {
  const byWords = new Map(
    queries.map((query) => [[...useTerms(query.query)].sort().join(' '), query]),
  )
  const byTool = new Map<string, Query[]>()
  for (const query of byWords.values()) {
    const [label] = labelsOf(query)
    if (label === undefined) continue
    const [tool] = [...label].sort()
    byTool.set(tool!, [...(byTool.get(tool!) ?? []), query])
  }
  const groups = [...byTool.values()]
    .filter((group) => group.length > 1)
    .map((group) => pickEvenly(group, perTool))
  const mean = groups.reduce((sum, group) => sum + group.length, 0) / Math.max(groups.length, 1)
  return pickEvenly(groups, Math.ceil(count / Math.max(mean, 1)))
}

/**
 * Divides the requests of each tool in two, by chance, and returns both directions: each half is used
 * once and measured once. The used requests come in a random order.
 */
export function splitBothWays<Query>(
  groups: readonly ToolRequests<Query>[],
  seed: number,
): readonly Split<Query>[] {
  const random = seededRandom(seed)
  const shuffled = groups.map((group) => shuffle(group, random))
  const halves = [0, 1].map((rest) =>
    shuffled.flatMap((group) => group.filter((_, at) => at % 2 === rest)),
  )
  return [halves, halves.toReversed()].map(([used, measured]) => ({
    used: shuffle(used!, random),
    measured: measured!,
  }))
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
