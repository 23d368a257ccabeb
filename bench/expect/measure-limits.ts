import { createToolSearch, estimateTokens, type SearchOutcome, unified } from 'toolsearch'
import { labelsOf } from 'toolsearch/evaluation'
import {
  chooseExpected,
  EXPECT_LIMITS,
  type ExpectLimits,
} from '../../packages/toolsearch/src/session/expect.ts'
import { withoutValues } from '../../packages/toolsearch/src/session/without-values.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import type { MeasuredSet } from '../learning/measure-learning.ts'
import { mean, sum } from '../statistics.ts'
import type { MeasuredLimits } from './expect-report.ts'
import { RANKERS } from './measure-expect.ts'

const VARIANTS: readonly ExpectLimits[] = [
  EXPECT_LIMITS,
  { ...EXPECT_LIMITS, tools: 1 },
  { ...EXPECT_LIMITS, tools: 3 },
  { ...EXPECT_LIMITS, close: 0.75 },
  { ...EXPECT_LIMITS, close: 0.95 },
  { ...EXPECT_LIMITS, description: 100 },
  { ...EXPECT_LIMITS, description: 400 },
  { ...EXPECT_LIMITS, tools: 3, close: 0.75, description: 600 },
]

interface Searched {
  readonly set: string
  readonly outcome: SearchOutcome
  readonly right: ReadonlySet<string>
}

/**
 * Compares the limits with others, on two halves of the sets: every other one in alphabetical order. Both
 * halves were in view when the limits were chosen, so they only show whether the sets agree.
 */
export function measureLimits(
  sets: readonly MeasuredSet[],
  ranker: string,
  count: number,
): MeasuredLimits[] {
  const sorted = [...sets].sort((a, b) => (a.name < b.name ? -1 : 1))
  return (['first', 'second'] as const).flatMap((half, at) => {
    const some = sorted.filter((_, index) => index % 2 === at)
    const searched = some.flatMap((set) => searchAll(set, ranker, count))
    return VARIANTS.map((limits) => {
      const rows = some.map(({ name }) =>
        measure(
          searched.filter(({ set }) => set === name),
          limits,
        ),
      )
      const average = (field: keyof (typeof rows)[number]) => mean(rows.map((row) => row[field]))
      return {
        ranker,
        half,
        ...limits,
        right: average('right'),
        precision: average('precision'),
        tokens: average('tokens'),
      }
    })
  })
}

function searchAll({ name, tools, queries }: MeasuredSet, ranker: string, count: number) {
  const toolSearch = createToolSearch({
    tools,
    ranker: RANKERS[ranker]!,
    activation: 'always',
    // as `expect` reads what a user says
    preset: { ...unified, readQuery: (text) => unified.readQuery(text, true) },
  })
  const served = queries.filter((query) => labelsOf(query).length > 0)
  return pickEvenly(served, count).map((query): Searched => {
    const right = new Set(labelsOf(query).flatMap((label) => [...label]))
    const outcome = toolSearch.search(withoutValues(query.query), { limit: 3 })
    return { set: name, outcome, right }
  })
}

function measure(searched: readonly Searched[], limits: ExpectLimits) {
  const added = searched.map(({ outcome, right }) => {
    const tools = new Map(outcome.hits.map(({ tool }) => [tool.name, tool]))
    const expected = chooseExpected(
      outcome,
      {
        division: { deferral: () => 'deferred', get: (name) => tools.get(name) },
        record: { loaded: [], sent: [], active: true },
        appendOnly: { reveal: 'reference' },
        countTokens: estimateTokens,
      },
      limits,
    )
    const names = expected?.tools.map(({ name }) => name) ?? []
    const fitting = names.filter((name) => right.has(name)).length
    return { count: names.length, fitting, tokens: estimateTokens(expected?.notice ?? '') }
  })
  const total = sum(added.map(({ count }) => count))
  return {
    right: (100 * added.filter(({ fitting }) => fitting > 0).length) / added.length,
    precision: total === 0 ? 0 : (100 * sum(added.map(({ fitting }) => fitting))) / total,
    tokens: mean(added.map(({ tokens }) => tokens)),
  }
}
