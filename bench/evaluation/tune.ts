import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dataFolder, fromCaller, progress, runCommand, writeResults } from '../bench-command.ts'
import type { Half } from '../data/halves.ts'
import { InputError } from '../input-error.ts'
import { chooseByHalves } from './choose-by-halves.ts'
import { neutralWeights } from './neutral-weights.ts'
import { printTuningReport } from './print-tuning-report.ts'
import { readScores, saveScores } from './saved-scores.ts'
import { scoreSet } from './score-set.ts'
import { TUNED_RANKERS, type TunedRanker } from './tuned-rankers.ts'
import type { TuningReport } from './tuning-report.ts'
import { readTuningSets, type TuningSet } from './tuning-sets.ts'
import { weightKnobs } from './weight-knobs.ts'

const HELP = `Choose the weights of a ranker on one half of the sets, and judge them on the other.

  npm run bench -- tune [--ranker NAME] [--only PATHS] [--queries N] [--rounds N] [options]

  --ranker NAME  ${Object.keys(TUNED_RANKERS).join(' or ')} (default: fielded)
  --only PATHS   change only these weights: k1,fields.name (default: all that affect the order)
  --queries N    queries per set (default: 150)
  --rounds N     maximum number of passes over the weights (default: 2); 0 only measures
  --gain POINTS  keep a change only if it gains more than this (default: 0.1); small gains on one
                 half are rarely gains on the other
  --sets NAMES   use only these sets: metatool,requests
  --save FILE    save R@5 of each query with the current weights
  --baseline FILE
                 compare with saved scores: after a change of the code, see which sets it helps
  --start WHAT   the weights to start from: current, neutral (nothing in them was chosen on these
                 sets, except the keyword weights that hybrid takes from fielded) or a JSON file
                 (default: current)
  --data DIR     folder with <set>/tools.jsonl and <set>/queries.jsonl
                 (default: ../shared/data, relative to the repository)
  --json         print JSON instead of tables
  --write        save the report in bench/results/tuning-<ranker>.json and .md
  --help         print this text

Changes one weight at a time and keeps each change that raises the mean of R@1 and R@5 over one half
of the sets. The figures of the other half are held out: they show what to expect on tools the
weights were not chosen for. Then does the same with the halves swapped. bench/data/halves.ts lists
the sets of each half.

Prints the weights both halves agree on. Their figures on these sets are not held out.

Example: does a change of the code help?

  npm run bench -- tune --ranker hybrid --rounds 0 --save before.json   # before the change
  npm run bench -- tune --ranker hybrid --rounds 0 --baseline before.json`

const { values: options } = parseArgs({
  options: {
    ranker: { type: 'string', default: 'fielded' },
    only: { type: 'string', default: '' },
    queries: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '2' },
    gain: { type: 'string', default: '0.1' },
    sets: { type: 'string', default: '' },
    save: { type: 'string' },
    baseline: { type: 'string' },
    start: { type: 'string', default: 'current' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function main(): Promise<void> {
  if (options.help) return console.log(HELP)
  const ranker = rankerOf(options.ranker)
  const report = tune(ranker)
  const page = printTuningReport(report, ranker.file)
  if (options.write) writeResults(`tuning-${options.ranker}`, report, page)
  console.log(options.json ? JSON.stringify(report, null, 2) : page)
}

function tune(ranker: TunedRanker): TuningReport {
  const queries = wholeNumber('--queries', options.queries, 1)
  const rounds = wholeNumber('--rounds', options.rounds, 0)
  const leastGain = Number(options.gain) / 100
  if (!(leastGain >= 0)) throw new InputError(`--gain must be a number, not "${options.gain}".`)
  const start = startOf(ranker)
  const knobs = weightKnobs(start, names(options.only))
  const sets = readTuningSets({
    folder: dataFolder(options.data),
    count: queries,
    only: names(options.sets),
    report: progress,
  })
  progress(`${sets.length} sets, ${knobs.length} weights`)
  const score = (weights: object, set: TuningSet) => scoreSet(ranker.create(weights, set), set)
  const { save, baseline } = options
  if (save !== undefined) {
    const scores = sets.map((set) => [set.name, score(ranker.weights, set).recallAt5])
    saveScores(fromCaller(save), Object.fromEntries(scores))
  }
  const chosen = chooseByHalves<object, TuningSet>({
    sets,
    current: ranker.weights,
    start,
    knobs,
    rounds,
    leastGain,
    score,
    ...(baseline !== undefined && { baseline: readScores(fromCaller(baseline), sets) }),
    report: (half: Half, { round, knob, score }) =>
      progress(`half ${half}, round ${round}: ${knob}, (R@1 + R@5) / 2 = ${percent(score)}`),
  })
  return {
    date: new Date().toISOString(),
    ranker: options.ranker,
    queries,
    rounds,
    knobs: knobs.map(({ name }) => name),
    leastGain,
    start: options.start,
    comparedWith: baseline === undefined ? 'current' : 'baseline',
    ...chosen,
  }
}

function rankerOf(name: string): TunedRanker {
  if (Object.hasOwn(TUNED_RANKERS, name)) return TUNED_RANKERS[name]!()
  throw new InputError(
    `There is no ranker "${name}" to tune. Choose one of ${Object.keys(TUNED_RANKERS).join(', ')}.`,
  )
}

function startOf({ weights }: TunedRanker): object {
  if (options.start === 'current') return weights
  if (options.start === 'neutral') return neutralWeights(options.ranker, weights)
  return readWeights(options.start)
}

function readWeights(file: string): object {
  try {
    return JSON.parse(readFileSync(fromCaller(file), 'utf8'))
  } catch (error) {
    throw new InputError(`${file}: cannot be read: ${(error as Error).message}`)
  }
}

function names(list: string): string[] {
  return list.split(',').filter((name) => name !== '')
}

function wholeNumber(option: string, text: string, least: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text)
  throw new InputError(`${option} must be a whole number from ${least}, not "${text}".`)
}

function percent(share: number): string {
  return (share * 100).toFixed(2)
}

await runCommand(main)
