import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { labelsOf } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { scoreQuery } from '../../packages/toolsearch/src/evaluation/score-query.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { fieldedRanker } from '../../packages/toolsearch/src/ranking/fielded-ranker.ts'
import {
  FIELDED_WEIGHTS,
  type FieldedWeights,
} from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { climb, type Knob } from './climb.ts'
import { readTuningSets, type TuningSet } from './read-tuning-sets.ts'

const HELP = `Usage: npm run tune -- [--data DIR] [--queries N] [--rounds N]

Chooses the weights of the default ranker on the tool lists in DIR (<set>/tools.jsonl and
queries.jsonl, N queries of each), by trying steps of one weight at a time and keeping what helps
the mean of R@1 and R@5 over the sets.

Each set is also left out once: the weights are then chosen on the others, and the figure of the
set that was left out tells what to expect on tools nobody tuned to.

Prints the weights to be written into packages/toolsearch/src/ranking/fielded-weights.ts.`

const { values: options } = parseArgs({
  options: {
    data: {
      type: 'string',
      default: fileURLToPath(new URL('../../../shared/data', import.meta.url)),
    },
    queries: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '2' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function tune(): Promise<void> {
  const sets = await readTuningSets(options.data, Number(options.queries))
  if (sets.length < 2) {
    console.error(`Two sets at least are needed in ${options.data}. Name a folder with --data DIR.`)
    process.exit(2)
  }
  const figures = new Map<string, readonly Figure[]>()
  const figuresOf = (weights: FieldedWeights) => {
    const key = JSON.stringify(weights)
    const known = figures.get(key) ?? sets.map((set) => judge(set, weights))
    figures.set(key, known)
    return known
  }
  const scoreOn = (kept: readonly TuningSet[]) => (weights: FieldedWeights) => {
    const of = figuresOf(weights).filter((_, at) => kept.includes(sets[at]!))
    return of.reduce((sum, { r1, r5 }) => sum + r1 + r5, 0) / of.length
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
  console.log(
    `mean R@5 of sets left out: ${percent(heldOut.reduce((a, b) => a + b) / sets.length)}`,
  )
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

function judge({ tools, queries }: TuningSet, weights: FieldedWeights): Figure {
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
  ...(['k1', 'synonym', 'prefix', 'typo', 'nameCoverage'] as const).map(scalar),
  ...Object.keys(FIELDED_WEIGHTS.fields).flatMap((field) =>
    (['weight', 'b'] as const).map((what) =>
      ofField(field as keyof FieldedWeights['fields'], what),
    ),
  ),
]

function scalar(name: 'k1' | 'synonym' | 'prefix' | 'typo' | 'nameCoverage'): Knob<FieldedWeights> {
  return {
    name,
    steps: (weights) =>
      [0.7, 1.4].map((factor) => ({ ...weights, [name]: round(weights[name] * factor) })),
  }
}

function ofField(
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

if (options.help) console.log(HELP)
else await tune()
