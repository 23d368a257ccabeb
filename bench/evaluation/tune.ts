import { parseArgs } from 'node:util'
import { labelsOf } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { scoreQuery } from '../../packages/toolsearch/src/evaluation/score-query.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { fieldedRanker } from '../../packages/toolsearch/src/ranking/fielded-ranker.ts'
import {
  FIELDED_WEIGHTS,
  type FieldedWeights,
} from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { dataFolder, runCommand } from '../bench-command.ts'
import { mean } from '../statistics.ts'
import { climb, type Knob } from './climb.ts'
import { readTuningSets, type TuningSet } from './tuning-sets.ts'

const HELP = `Choose the weights of the default ranker on public data sets.

  npm run tune -- [--data DIR] [--queries N] [--rounds N]

  --data DIR   folder with <set>/tools.jsonl and <set>/queries.jsonl
               (default: ../shared/data, relative to the repository)
  --queries N  queries per set (default: 300)
  --rounds N   maximum number of passes over all weights (default: 2)
  --help       print this text

Changes one weight at a time and keeps each change that raises the mean of R@1 and R@5 over the
sets. Also tunes with each set left out once: the figures of that set show what to expect on tools
the weights were not tuned for.

Prints the weights for packages/toolsearch/src/ranking/fielded-weights.ts.`

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    queries: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '2' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function tune(): Promise<void> {
  if (options.help) return console.log(HELP)
  const sets = readTuningSets(dataFolder(options.data), Number(options.queries))
  const figures = new Map<string, readonly Figure[]>()
  const figuresOf = (weights: FieldedWeights) => {
    const key = JSON.stringify(weights)
    const cached = figures.get(key) ?? sets.map((set) => measure(set, weights))
    figures.set(key, cached)
    return cached
  }
  const scoreOn = (chosenSets: readonly TuningSet[]) => (weights: FieldedWeights) => {
    const chosen = figuresOf(weights).filter((_, at) => chosenSets.includes(sets[at]!))
    return mean(chosen.map(({ r1, r5 }) => r1 + r5))
  }
  const rounds = Number(options.rounds)
  const heldOut: number[] = []
  for (const [at, set] of sets.entries()) {
    const others = sets.filter((other) => other !== set)
    const weights = climb(FIELDED_WEIGHTS, KNOBS, scoreOn(others), rounds)
    const figure = figuresOf(weights)[at]!
    heldOut.push(figure.r5)
    console.log(
      `${set.name.padEnd(18)} left out: R@1 ${percent(figure.r1)}  R@5 ${percent(figure.r5)}`,
    )
  }
  console.log(`mean R@5 of sets left out: ${percent(mean(heldOut))}`)
  const chosen = climb(FIELDED_WEIGHTS, KNOBS, scoreOn(sets), rounds)
  for (const [at, { r1, r5 }] of figuresOf(chosen).entries()) {
    console.log(`${sets[at]!.name.padEnd(18)} chosen:   R@1 ${percent(r1)}  R@5 ${percent(r5)}`)
  }
  console.log(JSON.stringify(chosen, undefined, 2))
}

interface Figure {
  readonly r1: number
  readonly r5: number
}

function measure({ tools, queries }: TuningSet, weights: FieldedWeights): Figure {
  const ranker = fieldedRanker(weights)
  for (const tool of tools) ranker.set(tool)
  let r1 = 0
  let r5 = 0
  for (const query of queries) {
    const words = parseQuery(query.query, { select: false, required: false })
    if (words.kind !== 'words') continue
    const { hits } = ranker.rank(words, { limit: 5, ties: 'catalogue' })
    const scores = scoreQuery(
      hits.map(({ tool }) => tool.name),
      labelsOf(query),
    )
    r1 += scores.recallAt1 / queries.length
    r5 += scores.recallAt5 / queries.length
  }
  process.stderr.write('.')
  return { r1, r5 }
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}

const KNOBS: readonly Knob<FieldedWeights>[] = [
  ...(['k1', 'synonym', 'prefix', 'typo', 'nameCoverage'] as const).map(scalarKnob),
  ...Object.keys(FIELDED_WEIGHTS.fields).flatMap((field) =>
    (['weight', 'b'] as const).map((what) =>
      fieldKnob(field as keyof FieldedWeights['fields'], what),
    ),
  ),
]

function scalarKnob(
  name: 'k1' | 'synonym' | 'prefix' | 'typo' | 'nameCoverage',
): Knob<FieldedWeights> {
  return {
    name,
    steps: (weights) =>
      [0.7, 1.4].map((factor) => ({ ...weights, [name]: round(weights[name] * factor) })),
  }
}

function fieldKnob(
  field: keyof FieldedWeights['fields'],
  what: 'weight' | 'b',
): Knob<FieldedWeights> {
  return {
    name: `${field}.${what}`,
    steps: (weights) => {
      const { fields } = weights
      const before = fields[field][what]
      const values = what === 'weight' ? [before * 0.7, before * 1.4] : [before - 0.2, before + 0.2]
      return values
        .map(round)
        .filter((value) => value >= 0 && (what === 'weight' || value <= 1))
        .map((value) => ({
          ...weights,
          fields: { ...fields, [field]: { ...fields[field], [what]: value } },
        }))
    },
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

await runCommand(tune)
