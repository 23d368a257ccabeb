import { createToolSearch, type Tool } from 'toolsearch'
import { createLearning, type Learning } from 'toolsearch/learning'
import { useId } from '../../packages/toolsearch/src/learning/use.ts'
import { useWords } from '../../packages/toolsearch/src/learning/use-words.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import { time } from '../speed/clock.ts'
import { median } from '../statistics.ts'
import type { LearningCost } from './learning-report.ts'
import { RANKERS } from './memory-search.ts'
import { PEOPLE } from './replay-uses.ts'

/** As many as a memory keeps by default. */
const USES = 2_000
const SEARCHES = 300
const ROUNDS = 15

/** Compares searches with a full memory and without one. They take turns, so that both are slow or fast together. */
export async function measureCost(
  ranker: string,
  tools: readonly Tool[],
  queries: readonly string[],
): Promise<LearningCost> {
  const plain = createToolSearch({ tools, ranker: RANKERS[ranker]! })
  const measured = pickEvenly(queries, SEARCHES)
  const used = queries.filter((query) => !measured.includes(query))
  const learning = await fullMemory(pickEvenly(used, USES), (query) => {
    const { hits, candidates } = plain.search(query)
    return [...hits, ...candidates][0]?.tool.name
  })
  const learned = createToolSearch({ tools, ranker: RANKERS[ranker]!, learning })
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const times = { withoutMs: 0, learnedMs: 0 }
    for (const query of measured) {
      times.withoutMs += time(() => plain.search(query))
      times.learnedMs += time(() => learned.search(query, { person: 'somebody else' }))
    }
    return times
  })
  // The first round warms up.
  const warm = rounds.slice(1)
  return {
    ranker,
    tools: tools.length,
    uses: (await learning.uses()).length,
    withoutMs: median(warm.map(({ withoutMs }) => withoutMs / measured.length)),
    learnedMs: median(warm.map(({ learnedMs }) => learnedMs / measured.length)),
    ratio: median(warm.map(({ withoutMs, learnedMs }) => learnedMs / withoutMs)),
  }
}

async function fullMemory(
  queries: readonly string[],
  toolFor: (query: string) => string | undefined,
): Promise<Learning> {
  const uses = queries.flatMap((query, at) => {
    const tool = toolFor(query)
    const use = { person: `person ${at % PEOPLE}`, words: useWords(query) }
    if (tool === undefined || use.words === '') return []
    return [{ ...use, tool, id: useId({ ...use, tool }), at: Date.now(), found: true }]
  })
  const store = { read: async () => uses, add: async () => {}, remove: async () => {} }
  const learning = createLearning({ store })
  await learning.refresh()
  return learning
}
