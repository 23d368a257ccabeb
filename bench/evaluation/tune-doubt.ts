import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hybridRanker, type Ranker, type Tool } from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import {
  type EvaluationQuery,
  labelsOf,
} from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { scoreQuery } from '../../packages/toolsearch/src/evaluation/score-query.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import {
  type DoubtWeights,
  HYBRID_WEIGHTS,
} from '../../packages/toolsearch/src/ranking/hybrid-weights.ts'
import { embeddingTexts } from '../../packages/toolsearch/src/ranking/tool-fields.ts'
import { readTuningSets, type TuningSet } from './read-tuning-sets.ts'

const HELP = `Usage: npm run tune:doubt -- [--data DIR] [--queries N] [--lost POINTS]

Chooses when a search by words and meaning gives nothing, on the tool lists in DIR (<set>/tools.jsonl
and queries.jsonl, N queries of each). Nobody has to say which queries are not served: they are the
queries of a set whose tools are hidden together with all that are much like them, and the queries of
the other sets. Of all weights that lose POINTS of R@5 at most in the mean over the sets, those are
chosen that hold back most of the queries not served.

Each set is also left out once, as in npm run tune.

Prints the weights to be written into packages/toolsearch/src/ranking/hybrid-weights.ts.`

const CHOICES: readonly DoubtWeights[] = [6, 8, 10, 12].flatMap((semantics) =>
  [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2].map((threshold) => ({ semantics, threshold })),
)
// two tools as near as this do much the same
const TWINS = 0.75

const { values: options } = parseArgs({
  options: {
    data: {
      type: 'string',
      default: fileURLToPath(new URL('../../../shared/data', import.meta.url)),
    },
    queries: { type: 'string', default: '300' },
    lost: { type: 'string', default: '0.5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const vectors = loadStaticEmbedder()

/** Shares of a set's R@5, and of its queries that nothing serves, that are held back. */
interface Figure {
  readonly lost: number
  readonly held: number
}

async function tuneDoubt(): Promise<void> {
  const sets = await readTuningSets(options.data, Number(options.queries))
  if (sets.length < 2) {
    console.error(`Two sets at least are needed in ${options.data}. Name a folder with --data DIR.`)
    process.exit(2)
  }
  const figures = CHOICES.map((doubt) => sets.map((set) => judge(set, sets, doubt)))
  for (const [at, set] of sets.entries()) {
    const chosen = best(figures.map((row) => row.filter((_, other) => other !== at)))
    console.log(`${set.name.padEnd(18)} left out: ${told(figures[chosen]![at]!)}`)
  }
  const chosen = best(figures)
  for (const [at, set] of sets.entries()) {
    console.log(`${set.name.padEnd(18)} chosen:   ${told(figures[chosen]![at]!)}`)
  }
  console.log(JSON.stringify(CHOICES[chosen]))
}

/** Which choice holds back most of what it should and little of what it should not. */
function best(figures: readonly (readonly Figure[])[]): number {
  let chosen = 0
  let most = -1
  for (const [at, row] of figures.entries()) {
    const lost = mean(row.map((figure) => figure.lost))
    const held = mean(row.map((figure) => figure.held))
    if (lost * 100 > Number(options.lost) || held <= most) continue
    chosen = at
    most = held
  }
  return chosen
}

function judge(set: TuningSet, sets: readonly TuningSet[], doubt: DoubtWeights): Figure {
  const ranker = hybridRanker({ vectors, weights: { ...HYBRID_WEIGHTS, doubt } })
  for (const tool of set.tools) ranker.set(tool)
  const strangers = sets.filter((other) => other !== set).flatMap(({ queries }) => queries)
  const every = Math.ceil(strangers.length / set.queries.length)
  const lost = set.queries.map((query) => {
    const { isHeld, names } = search(ranker, query)
    return isHeld ? scoreQuery(names, labelsOf(query)).recallAt5 : 0
  })
  const orphans = set.queries.map((query) => search(ranker, query, withoutTwins(set, query)))
  const others = strangers.filter((_, at) => at % every === 0).map((query) => search(ranker, query))
  const share = (found: readonly { isHeld: boolean }[]) =>
    mean(found.map(({ isHeld }) => Number(isHeld)))
  process.stderr.write('.')
  return { lost: mean(lost), held: (share(orphans) + share(others)) / 2 }
}

function search(ranker: Ranker, { query }: EvaluationQuery, accepts?: (tool: Tool) => boolean) {
  const words = parseQuery(query, { select: false, required: false })
  if (words.kind !== 'words') return { isHeld: true, names: [] }
  const found = ranker.rank(words, { limit: 5, ties: 'catalogue', ...(accepts && { accepts }) })
  const names = found.hits.map(({ tool }) => tool.name)
  return {
    isHeld: (found.hits[0]?.score ?? 0) < (found.minConfidentScore ?? 0) || names.length === 0,
    names,
  }
}

const meanings = new Map<Tool, Float32Array>()

function meaningOf(tool: Tool): Float32Array {
  const known = meanings.get(tool) ?? vectors.embed(embeddingTexts(tool).whole)
  meanings.set(tool, known)
  return known
}

const hidden = new Map<EvaluationQuery, ReadonlySet<Tool>>()

/** Refuses the tools that serve a query, and their like. */
function withoutTwins({ tools }: TuningSet, query: EvaluationQuery): (tool: Tool) => boolean {
  const like = (one: Tool, other: Tool) => {
    const [a, b] = [meaningOf(one), meaningOf(other)]
    return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  }
  const gone = hidden.get(query) ?? new Set(twins())
  hidden.set(query, gone)
  return (tool) => !gone.has(tool)

  function twins(): Tool[] {
    const right = tools.filter(({ name }) => query.relevant.includes(name))
    return tools.filter((tool) => right.some((one) => like(one, tool) > TWINS))
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
}

function told({ lost, held }: Figure): string {
  return `R@5 lost ${(lost * 100).toFixed(1)}  held back ${(held * 100).toFixed(0)} %`
}

if (options.help) console.log(HELP)
else await tuneDoubt()
