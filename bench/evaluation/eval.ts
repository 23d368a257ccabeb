import { compareEvaluations, evaluate, reliability } from 'toolsearch/evaluation'
import { fromCaller, runCommand } from '../bench-command.ts'
import { unknownNames } from '../data/read-queries.ts'
import type { EvalReport } from './eval-report.ts'
import { type EvaluationSet, readEvaluationSet } from './evaluation-set.ts'
import { missedMinimums } from './minimums.ts'
import { halfOf, OWN_SETS } from './own-sets.ts'
import { printEvalReport } from './print-eval-report.ts'
import { RANKERS } from './rankers.ts'
import { type EvalOptions, HELP, readOptions } from './read-options.ts'
import { worstQueries } from './worst-queries.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), fromCaller('.'))
  if (options.help) return console.log(HELP)

  const set = options.files ? readEvaluationSet(options.files) : OWN_SETS[options.set]()
  const report = await evaluateRanker(options, options.half ? halfOf(set, options.half) : set)
  console.log(options.json ? JSON.stringify(report, null, 2) : printEvalReport(report))
  for (const note of [...notesOn(report), ...report.failures]) console.error(note)
  if (report.failures.length > 0) process.exitCode = 1
}

async function evaluateRanker(
  { ranker, baseline, limit, worst, minimums }: EvalOptions,
  { tools, queries }: EvaluationSet,
): Promise<EvalReport> {
  const run = async (name: string) => evaluate(await RANKERS[name]!(tools), queries, { limit })
  const before = baseline === undefined ? undefined : await run(baseline)
  const { all, kinds, languages, results } = await run(ranker)
  const reliable = reliability(results)
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
    worst: worstQueries(results, worst),
    failures: missedMinimums(minimums, all, reliable),
  }
}

function notesOn({ unknownNames: names }: EvalReport): string[] {
  const first = [...names.slice(0, 5), ...(names.length > 5 ? ['…'] : [])].join(', ')
  return [
    ...(names.length > 0
      ? [
          names.length === 1
            ? `1 relevant name matches no tool and counts as missed: ${first}`
            : `${names.length} relevant names match no tool and count as missed: ${first}`,
        ]
      : []),
  ]
}

await runCommand(main)
