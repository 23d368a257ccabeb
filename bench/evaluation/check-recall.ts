import { runCommand } from '../bench-command.ts'
import { evaluateRanker } from './evaluate-ranker.ts'
import type { Minimums } from './minimums.ts'
import { OWN_SETS, type OwnSetName } from './own-sets.ts'

interface RecallCheck {
  readonly set: OwnSetName
  readonly ranker: string
  readonly minimums: Minimums
}

/**
 * What `npm test` guards: the complete search, on the sets of this repository. The minimums are a few
 * points below the figures, so that they catch mistakes rather than noise.
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

async function main(): Promise<void> {
  for (const { set, ranker, minimums } of CHECKS) {
    const options = { ranker, minimums, limit: 10, worst: 0 }
    const { all, failures } = await evaluateRanker(options, OWN_SETS[set]())
    const figures = [
      `R@5 ${percent(all.scores?.recallAt5)}`,
      `unanswered ${percent(all.unanswered)}`,
      `doubted ${percent(all.wronglyDoubted)}`,
      `without a relevant tool: doubted ${percent(all.doubted)}`,
    ]
    console.log(`${set}, ${ranker}: ${figures.join(', ')}`)
    for (const failure of failures) console.error(`${set}, ${ranker}: ${failure}`)
    if (failures.length > 0) process.exitCode = 1
  }
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(1)}%`
}

await runCommand(main)
