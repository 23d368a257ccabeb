import type { Tool } from 'toolsearch'
import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { createLearning, type Learning, type Use } from 'toolsearch/learning'
import { scoreQuery } from '../../packages/toolsearch/src/evaluation/score-query.ts'
import { mean } from '../statistics.ts'
import { ADVERSARIES, type AdversaryName } from './adversaries.ts'
import { type Estimate, estimate } from './estimate.ts'
import type { HighAnswers, LearnedSet } from './learning-report.ts'
import { openMemorySearch } from './memory-search.ts'
import { replayUses } from './replay-uses.ts'
import { requestsByTool, splitBothWays } from './split-uses.ts'

/** Requests of one tool: enough to learn from, and few enough that no tool decides. */
const PER_TOOL = 8

export interface MeasuredSet {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly queries: readonly EvaluationQuery[]
}

export interface MeasureOptions {
  readonly ranker: string
  /** How many requests. */
  readonly count: number
  /** How often the requests are divided. */
  readonly seeds: number
}

type Variant = 'without' | 'learned' | 'foundOnly' | AdversaryName

/** Replays the use of one half of the requests, and measures the other half before and after. */
export async function measureLearning(
  { name, tools, queries }: MeasuredSet,
  { ranker, count, seeds }: MeasureOptions,
): Promise<LearnedSet> {
  const groups = requestsByTool(queries, { count, perTool: PER_TOOL })
  const search = openMemorySearch(tools, ranker)
  const scores = new Map<EvaluationQuery, Map<Variant, number[]>>()
  const highs = new Map<Variant, boolean[]>()
  for (let seed = 1; seed <= seeds; seed++) {
    for (const [way, split] of splitBothWays(groups, seed).entries()) {
      const at = `${seed} ${way}`
      const measureWith = (variant: Variant, memory?: Learning) => {
        search.use(memory)
        for (const query of split.measured) score(query, variant)
      }
      measureWith('without')

      const foundOnly = createLearning()
      search.use(foundOnly)
      await replayUses(search, split.used, { name: `${at} found`, onMiss: 'give up' })
      measureWith('foundOnly', foundOnly)

      const learned = createLearning()
      search.use(learned)
      await replayUses(search, split.used, { name: `${at} all`, onMiss: 'search again' })
      measureWith('learned', learned)

      const uses = await learned.uses()
      for (const [adversary, attack] of Object.entries(ADVERSARIES)) {
        const attacked = await memoryOf(uses)
        search.use(attacked)
        await attack(search, split, `${at} ${adversary}`)
        measureWith(adversary as AdversaryName, attacked)
      }
    }
  }
  const difference = (variant: Variant, base: Variant): Estimate =>
    estimate(groups.map((group) => group.map((query) => of(query, variant) - of(query, base))))
  return {
    set: name,
    ranker,
    tools: tools.length,
    requests: groups.flat().length,
    without: mean(groups.flat().map((query) => of(query, 'without'))),
    gain: difference('learned', 'without'),
    foundOnly: difference('foundOnly', 'without'),
    attacked: {
      one: difference('one', 'learned'),
      two: difference('two', 'learned'),
      sameTool: difference('sameTool', 'learned'),
      sameWords: difference('sameWords', 'learned'),
    },
    high: { before: highAnswers('without'), after: highAnswers('learned') },
  }

  function score(query: EvaluationQuery, variant: Variant): void {
    const { hits, confidence } = search.toolSearch.search(query.query, {
      limit: 5,
      person: 'somebody else',
    })
    const found = hits.map(({ tool }) => tool.name)
    const { recallAt5 } = scoreQuery(found, labelsOf(query))
    const byVariant = scores.get(query) ?? new Map<Variant, number[]>()
    scores.set(query, byVariant)
    byVariant.set(variant, [...(byVariant.get(variant) ?? []), 100 * recallAt5])
    if (confidence !== 'high') return
    highs.set(variant, [...(highs.get(variant) ?? []), recallAt5 > 0])
  }

  /** The mean over all divisions. */
  function of(query: EvaluationQuery, variant: Variant): number {
    return mean(scores.get(query)!.get(variant)!)
  }

  function highAnswers(variant: Variant): HighAnswers {
    const answers = highs.get(variant) ?? []
    const total = groups.flat().length * seeds
    return {
      share: (100 * answers.length) / Math.max(total, 1),
      right: (100 * answers.filter(Boolean).length) / Math.max(answers.length, 1),
    }
  }
}

/** A memory that starts with these uses. */
async function memoryOf(uses: readonly Use[]): Promise<Learning> {
  const store = { read: async () => uses, add: async () => {}, remove: async () => {} }
  const learning = createLearning({ store, refreshMs: Number.MAX_SAFE_INTEGER })
  await learning.refresh()
  return learning
}
