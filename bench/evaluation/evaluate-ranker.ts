import { compareEvaluations, evaluate, reliability } from 'toolsearch/evaluation'
import { unknownNames } from '../data/read-queries.ts'
import type { EvalReport } from './eval-report.ts'
import type { EvaluationSet } from './evaluation-set.ts'
import { measureSuggestions } from './measure-suggestions.ts'
import { missedMinimums } from './minimums.ts'
import { RANKERS, WHOLE_SEARCHES } from './rankers.ts'
import type { EvalOptions } from './read-options.ts'
import { worstQueries } from './worst-queries.ts'

type RankerOptions = Pick<EvalOptions, 'ranker' | 'baseline' | 'limit' | 'worst' | 'minimums'>

/** Evaluates a ranker on a set and checks its minimums. @throws InputError */
export async function evaluateRanker(
  { ranker, baseline, limit, worst, minimums }: RankerOptions,
  { tools, queries }: EvaluationSet,
): Promise<EvalReport> {
  const run = async (name: string) => evaluate(await RANKERS[name]!(tools), queries, { limit })
  const before = baseline === undefined ? undefined : await run(baseline)
  const { all, kinds, languages, results } = await run(ranker)
  const reliable = reliability(results)
  const whole = WHOLE_SEARCHES[ranker]
  return {
    ranker,
    tools: tools.length,
    unknownNames: unknownNames(queries, tools),
    all,
    kinds,
    languages,
    reliability: reliable,
    ...(before && {
      baseline: {
        ranker: baseline!,
        all: before.all,
        kinds: before.kinds,
        comparison: compareEvaluations(before, { results }),
      },
    }),
    ...(whole && { suggestions: measureSuggestions(tools, queries, whole) }),
    worst: worstQueries(results, worst),
    failures: missedMinimums(minimums, all, reliable),
  }
}
