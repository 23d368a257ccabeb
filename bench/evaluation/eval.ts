import { compareEvaluations, type EvaluationSummary, evaluate } from 'toolsearch/evaluation'
import { fromCaller, runCommand } from '../bench-command.ts'
import { unknownNames } from '../data/read-queries.ts'
import { InputError } from '../input-error.ts'
import type { EvalReport } from './eval-report.ts'
import { type EvaluationSet, ownSet, readEvaluationSet } from './evaluation-set.ts'
import { measureSuggestions } from './measure-suggestions.ts'
import { printEvalReport } from './print-eval-report.ts'
import { RANKERS, WHOLE_SEARCHES } from './rankers.ts'
import { type EvalOptions, HELP, readOptions } from './read-options.ts'
import { worstQueries } from './worst-queries.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), fromCaller('.'))
  if (options.help) return console.log(HELP)

  const set = options.files ? readEvaluationSet(options.files) : ownSet()
  const report = await evaluateRanker(options, set)
  console.log(options.json ? JSON.stringify(report, null, 2) : printEvalReport(report))
  for (const note of [...notesOn(report), ...report.failures]) console.error(note)
  if (report.failures.length > 0) process.exitCode = 1
}

async function evaluateRanker(
  { ranker, baseline, limit, worst, minRecall, minDoubted }: EvalOptions,
  { tools, queries }: EvaluationSet,
): Promise<EvalReport> {
  const run = async (name: string) => evaluate(await RANKERS[name]!(tools), queries, { limit })
  const before = baseline === undefined ? undefined : await run(baseline)
  const { all, kinds, results } = await run(ranker)
  const whole = WHOLE_SEARCHES[ranker]
  return {
    ranker,
    tools: tools.length,
    unknownNames: unknownNames(queries, tools),
    all,
    kinds,
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
    failures: missedMinimums(all, minRecall, minDoubted),
  }
}

function missedMinimums(
  { scores, doubted }: EvaluationSummary,
  minRecall: number | undefined,
  minDoubted: number | undefined,
): string[] {
  return [
    ...missed('R@5', '--min-recall', scores?.recallAt5, minRecall),
    ...missed('Correct doubt', '--min-doubted', doubted, minDoubted),
  ]
}

function missed(
  figure: string,
  option: string,
  value: number | undefined,
  least: number | undefined,
): string[] {
  if (least === undefined) return []
  // A check without any queries must not look like a check that passed.
  if (value === undefined) throw new InputError(`${option}: the set has no queries to check.`)
  return value < least ? [`${figure} is ${value.toFixed(4)}, below ${option} ${least}.`] : []
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
