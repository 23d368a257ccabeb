import { parseArgs } from 'node:util'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { dataFolder, progress, runCommand, writeResults } from '../bench-command.ts'
import type { Half } from '../data/halves.ts'
import { InputError } from '../input-error.ts'
import { fitConfidence } from './confidence-model.ts'
import { type ConfidenceReport, judge } from './confidence-report.ts'
import { collectSamples, type Sample } from './confidence-samples.ts'
import { printConfidenceReport } from './print-confidence-report.ts'
import { createSimilarTools } from './similar-tools.ts'
import { TUNED_RANKERS } from './tuned-rankers.ts'
import { readTuningSets } from './tuning-sets.ts'

const HELP = `Fit the confidence of a ranker on one half of the sets, and judge it on the other.

  npm run bench -- tune-confidence [--ranker NAME] [--queries N] [options]

  --ranker NAME      ${Object.keys(TUNED_RANKERS).join(' or ')} (default: hybrid)
  --queries N        queries with a relevant tool per set (default: 150)
  --unserved S       the share of queries without a relevant tool (default: 0.2)
  --doubtful S       the share of queries with a relevant tool that may be doubtful (default: 0.1)
  --right S          the share of sure results that have to be right (default: 0.95)
  --penalty N        the L2 penalty of the coefficients (default: 1)
  --sets NAMES       use only these sets: metatool,requests
  --data DIR         folder with <set>/tools.jsonl and <set>/queries.jsonl
                     (default: ../shared/data, relative to the repository)
  --json             print JSON instead of tables
  --write            save the report in bench/results/confidence-<ranker>.json and .md
  --help             print this text

Fits two logistic regressions over the evidence of a ranking: the probability that a relevant tool is
among the first five, and the probability that there is one. A result is sure by the first and
doubtful by the second. Without --sets, sets in other languages are left out. Queries without a relevant tool are
those of other sets, those of a set after hiding their relevant tools and all similar ones, and those
labelled so. Their share decides how high probabilities are, so choose one that users would meet.

Thresholds are chosen on the same half as the coefficients: the highest "doubtful" and the lowest
"sure" that keep --doubtful and --right.

Prints the coefficients, fitted on both halves. Their figures on these sets are not held out.`

const { values: options } = parseArgs({
  options: {
    ranker: { type: 'string', default: 'hybrid' },
    queries: { type: 'string', default: '150' },
    unserved: { type: 'string', default: '0.2' },
    doubtful: { type: 'string', default: '0.1' },
    right: { type: 'string', default: '0.95' },
    penalty: { type: 'string', default: '1' },
    sets: { type: 'string', default: '' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function main(): Promise<void> {
  if (options.help) return console.log(HELP)
  const report = tuneConfidence()
  const page = printConfidenceReport(report)
  if (options.write) writeResults(`confidence-${options.ranker}`, report, page)
  console.log(options.json ? JSON.stringify(report, null, 2) : page)
}

function tuneConfidence(): ConfidenceReport {
  const { ranker: name } = options
  if (!Object.hasOwn(TUNED_RANKERS, name)) {
    throw new InputError(`There is no ranker "${name}" to tune.`)
  }
  const ranker = TUNED_RANKERS[name]!()
  const targets = {
    doubtfulServed: number('doubtful', 0, 1),
    right: number('right', 0, 1),
  }
  const penalty = number('penalty', 0, 1e6)
  const sets = readTuningSets({
    folder: dataFolder(options.data),
    count: number('queries', 1, 1e6),
    only: options.sets.split(',').filter((set) => set !== ''),
    report: progress,
  })
  // Few queries in other languages find their tools, so they would decide what is doubtful.
  const chosen = options.sets === '' ? sets.filter(({ group }) => group !== 'languages') : sets
  const samples = collectSamples(chosen, {
    create: (set) => ranker.create(ranker.weights, set),
    similar: createSimilarTools(loadStaticEmbedder()),
    unservedShare: number('unserved', 0, 0.9),
    report: progress,
  })
  const fit = (some: readonly Sample[]) => fitConfidence(some, targets, penalty)
  const of = (half: Half) => samples.filter((sample) => sample.half === half)
  const across = (fittedOn: Half, judgedOn: Half) => ({
    fittedOn,
    judgedOn,
    ...judge(fit(of(fittedOn)), of(judgedOn)),
  })
  return {
    date: new Date().toISOString(),
    ranker: name,
    heldOut: [across('one', 'two'), across('two', 'one')],
    final: judge(fit(samples), samples),
  }
}

function number(
  option: 'queries' | 'unserved' | 'doubtful' | 'right' | 'penalty',
  least: number,
  most: number,
): number {
  const value = Number(options[option])
  if (options[option].trim() !== '' && value >= least && value <= most) return value
  throw new InputError(
    `--${option} must be a number from ${least} to ${most}, not "${options[option]}".`,
  )
}

await runCommand(main)
