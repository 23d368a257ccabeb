import {
  compareEvaluations,
  type Evaluation,
  type EvaluationQuery,
  type EvaluationSummary,
  evaluate,
} from 'toolsearch/evaluation'
import { InputError } from './input-error.ts'
import { printReport } from './print-report.ts'
import { RANKERS } from './rankers.ts'
import { type EvalOptions, HELP, readOptions } from './read-options.ts'
import { readQueries, unknownNames } from './read-queries.ts'
import { readTools, type ToolsRead } from './read-tools.ts'
import type { Report } from './report.ts'
import { worstQueries } from './worst-queries.ts'

try {
  await main()
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function main(): Promise<void> {
  // npm runs this in eval/, but a path is meant from where npm was called
  const folder = process.env.INIT_CWD ?? process.cwd()
  const options = readOptions(process.argv.slice(2), folder)
  if (options.help) return console.log(HELP)

  const read = await readTools(options.tools)
  const queries = await readQueries(options.queries)
  const report = await judge(options, read, queries)
  console.log(options.json ? JSON.stringify(report, null, 2) : printReport(report))
  for (const note of [...notesOn(report), ...report.failures]) console.error(note)
  if (report.failures.length > 0) process.exitCode = 1
}

async function judge(
  { ranker, baseline, limit, worst, minRecall, minAbstention }: EvalOptions,
  { tools, mended }: ToolsRead,
  queries: readonly EvaluationQuery[],
): Promise<Report> {
  const run = async (name: string): Promise<Evaluation> =>
    evaluate(await RANKERS[name]!(tools), queries, { limit })
  const before = baseline === undefined ? undefined : await run(baseline)
  const { all, kinds, results } = await run(ranker)
  return {
    ranker,
    tools: tools.length,
    mended,
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
    worst: worstQueries(results, worst),
    failures: missedMinimums(all, minRecall, minAbstention),
  }
}

function missedMinimums(
  { scores, abstained }: EvaluationSummary,
  minRecall: number | undefined,
  minAbstention: number | undefined,
): string[] {
  return [
    ...missed('R@5', '--min-recall', scores?.recallAt5, minRecall),
    ...missed('Abstention', '--min-abstention', abstained, minAbstention),
  ]
}

function missed(
  figure: string,
  option: string,
  value: number | undefined,
  least: number | undefined,
): string[] {
  if (least === undefined) return []
  // a gate with nothing to judge must not look like one that was passed
  if (value === undefined) throw new InputError(`${option} has no queries to judge by.`)
  return value < least ? [`${figure} is ${value.toFixed(4)}, below ${option} ${least}.`] : []
}

function notesOn({ mended, tools, unknownNames: names }: Report): string[] {
  const first = [...names.slice(0, 5), ...(names.length > 5 ? ['…'] : [])].join(', ')
  return [
    ...(mended > 0 ? [`Tools with an invalid schema, mended: ${mended} of ${tools}`] : []),
    ...(names.length > 0
      ? [`Relevant names that no tool has, counted as missed: ${names.length} (${first})`]
      : []),
  ]
}
