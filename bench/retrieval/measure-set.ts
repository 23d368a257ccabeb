import { compareEvaluations } from '../../packages/toolsearch/src/evaluation/compare-evaluations.ts'
import { type Evaluation, evaluate } from '../../packages/toolsearch/src/evaluation/evaluate.ts'
import { median } from '../statistics.ts'
import type { Contender, Rankings } from './contender.ts'
import { type Failure, rankInChild } from './rank-in-child.ts'
import type { Figures, SetFigures } from './retrieval-report.ts'
import type { RetrievalSet } from './retrieval-set.ts'

const LIMIT = 5

type Entry = { readonly contender: Contender } & (Failure | Measured)

interface Measured {
  readonly rankings: Rankings
  readonly evaluation: Evaluation
}

/** Runs the contenders on one set, one at a time so that none slows down another. */
export async function measureSet(
  set: RetrievalSet,
  contenders: readonly Contender[],
  report: (step: string) => void,
): Promise<SetFigures> {
  const { name, tools, queries } = set
  const entries: Entry[] = []
  for (const contender of contenders) {
    report(`${name}: ${contender.name}`)
    const outcome = await measure(contender, set)
    if ('failure' in outcome) report(`${name}: ${contender.name} ${outcome.failure}`)
    entries.push({ contender, ...outcome })
  }

  const best = bestPeer(entries)
  return {
    name,
    tools: tools.length,
    queries: queries.length,
    ...(best && { bestPeer: best.contender.name }),
    rows: entries.map((entry) => ({
      name: entry.contender.name,
      side: entry.contender.side,
      ...('failure' in entry ? { failure: entry.failure } : figures(entry, best)),
    })),
  }
}

async function measure(
  contender: Contender,
  { tools, queries }: RetrievalSet,
): Promise<Failure | Measured> {
  const texts = queries.map(({ query }) => query)
  const outcome = await rankInChild(contender, { tools, runs: [{ queries: texts }], limit: LIMIT })
  if ('failure' in outcome) return outcome
  const rankings = outcome[0]!
  let at = 0
  const evaluation = await evaluate(() => rankings.names[at++]!, queries, { limit: LIMIT })
  return { rankings, evaluation }
}

function bestPeer(entries: readonly Entry[]): (Entry & Measured) | undefined {
  return entries
    .filter((entry): entry is Entry & Measured => 'evaluation' in entry)
    .filter(({ contender }) => contender.side === 'peer')
    .sort((a, b) => recallAt5(b) - recallAt5(a))[0]
}

function recallAt5({ evaluation }: Measured): number {
  return evaluation.all.scores?.recallAt5 ?? 0
}

function figures(entry: Measured, best: Measured | undefined): Figures {
  const { evaluation, rankings } = entry
  const { recallAt1 = 0, recallAt5 = 0, ndcgAt5 = 0 } = evaluation.all.scores ?? {}
  const p50Ms = median(rankings.queryMs)
  const own = { recallAt1, recallAt5, ndcgAt5, p50Ms, buildMs: rankings.buildMs }
  if (best === undefined || best === entry) return own
  const { difference, interval } = compareEvaluations(best.evaluation, evaluation)
  return { ...own, lead: { difference, ...interval } }
}
