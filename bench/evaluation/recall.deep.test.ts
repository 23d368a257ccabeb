import { expect, it } from 'vitest'
import { evaluateRanker } from './evaluate-ranker.ts'
import type { Minimums } from './minimums.ts'
import { OWN_SETS, type OwnSetName } from './own-sets.ts'

interface RecallCheck {
  readonly set: OwnSetName
  readonly ranker: string
  readonly minimums: Minimums
}

/**
 * The complete search, on the sets of this repository. The minimums are a few points below the figures, so
 * that they catch mistakes rather than noise. `npm run bench -- eval` prints the figures.
 */
const CHECKS: readonly RecallCheck[] = [
  { set: 'catalogue', ranker: 'unified', minimums: { 'min-recall': 0.75 } },
  {
    set: 'catalogue',
    ranker: 'unified-hybrid',
    minimums: { 'min-recall': 0.81, 'max-doubted': 0.12, 'min-doubted': 0.55 },
  },
  { set: 'requests', ranker: 'unified', minimums: { 'min-recall': 0.58, 'max-unanswered': 0.04 } },
  {
    set: 'requests',
    ranker: 'unified-hybrid-languages',
    minimums: {
      'min-recall': 0.75,
      'max-unanswered': 0.01,
      'max-doubted': 0.14,
      'min-doubted': 0.25,
      'min-reliability': 0.95,
    },
  },
]

it.each(CHECKS)('$ranker reaches its minimums on the set $set', async (check) => {
  const { set, ranker, minimums } = check
  const options = { ranker, minimums, limit: 10, worst: 0 }
  const { failures } = await evaluateRanker(options, OWN_SETS[set]())
  expect(failures).toEqual([])
})
