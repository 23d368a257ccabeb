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
import { dataFolder, runCommand } from '../bench-command.ts'
import { mean } from '../statistics.ts'
import { readTuningSets, type TuningSet } from './tuning-sets.ts'

const HELP = `Choose when a search by keywords and semantics returns no match, on public data sets.

  npm run tune:doubt -- [--data DIR] [--queries N] [--lost POINTS]

  --data DIR     folder with <set>/tools.jsonl and <set>/queries.jsonl
                 (default: ../shared/data, relative to the repository)
  --queries N    queries per set (default: 300)
  --lost POINTS  how much R@5 may drop on average over the sets (default: 0.5)
  --help         print this text

Queries without a relevant tool need no labels: they are the queries of other sets, and the queries
of a set after hiding their relevant tools and all similar ones. Of all weights that lose at most
POINTS of R@5, chooses those that return no match for most of these queries. Also tunes with each
set left out once, as npm run tune does.

Prints the weights for packages/toolsearch/src/ranking/hybrid-weights.ts.`

const CHOICES: readonly DoubtWeights[] = [6, 8, 10, 12].flatMap((semantics) =>
  [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2].map((threshold) => ({ semantics, threshold })),
)
// Tools with at least this cosine similarity count as interchangeable.
const SIMILAR = 0.75

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    queries: { type: 'string', default: '300' },
    lost: { type: 'string', default: '0.5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const vectors = loadStaticEmbedder()

interface Figure {
  /** How much R@5 the abstentions cost. */
  readonly lost: number
  /** The share of queries without a relevant tool that get no match. */
  readonly abstained: number
}

async function tuneDoubt(): Promise<void> {
  if (options.help) return console.log(HELP)
  const sets = readTuningSets(dataFolder(options.data), Number(options.queries))
  const figures = CHOICES.map((doubt) => sets.map((set) => measure(set, sets, doubt)))
  for (const [at, set] of sets.entries()) {
    const chosen = best(figures.map((row) => row.filter((_, other) => other !== at)))
    console.log(`${set.name.padEnd(18)} left out: ${printFigure(figures[chosen]![at]!)}`)
  }
  const chosen = best(figures)
  for (const [at, set] of sets.entries()) {
    console.log(`${set.name.padEnd(18)} chosen:   ${printFigure(figures[chosen]![at]!)}`)
  }
  console.log(JSON.stringify(CHOICES[chosen]))
}

/** The choice that abstains most where it should, among those that lose little R@5. */
function best(figures: readonly (readonly Figure[])[]): number {
  let chosen = 0
  let most = -1
  for (const [at, row] of figures.entries()) {
    const lost = mean(row.map((figure) => figure.lost))
    const abstained = mean(row.map((figure) => figure.abstained))
    if (lost * 100 > Number(options.lost) || abstained <= most) continue
    chosen = at
    most = abstained
  }
  return chosen
}

function measure(set: TuningSet, sets: readonly TuningSet[], doubt: DoubtWeights): Figure {
  const ranker = hybridRanker({ vectors, weights: { ...HYBRID_WEIGHTS, doubt } })
  for (const tool of set.tools) ranker.set(tool)
  const foreign = sets.filter((other) => other !== set).flatMap(({ queries }) => queries)
  const step = Math.ceil(foreign.length / set.queries.length)
  const lost = set.queries.map((query) => {
    const { isAbstention, names } = search(ranker, query)
    return isAbstention ? scoreQuery(names, labelsOf(query)).recallAt5 : 0
  })
  const ofHidden = set.queries.map((query) => search(ranker, query, hideRelevant(set, query)))
  const ofForeign = foreign.filter((_, at) => at % step === 0).map((query) => search(ranker, query))
  const share = (found: readonly { isAbstention: boolean }[]) =>
    mean(found.map(({ isAbstention }) => Number(isAbstention)))
  process.stderr.write('.')
  return { lost: mean(lost), abstained: (share(ofHidden) + share(ofForeign)) / 2 }
}

function search(ranker: Ranker, { query }: EvaluationQuery, accepts?: (tool: Tool) => boolean) {
  const words = parseQuery(query, { select: false, required: false })
  if (words.kind !== 'words') return { isAbstention: true, names: [] }
  const found = ranker.rank(words, { limit: 5, ties: 'catalogue', ...(accepts && { accepts }) })
  const names = found.hits.map(({ tool }) => tool.name)
  return {
    isAbstention:
      (found.hits[0]?.score ?? 0) < (found.minConfidentScore ?? 0) || names.length === 0,
    names,
  }
}

const embeddings = new Map<Tool, Float32Array>()

function embed(tool: Tool): Float32Array {
  const cached = embeddings.get(tool) ?? vectors.embed(embeddingTexts(tool).whole)
  embeddings.set(tool, cached)
  return cached
}

function similarity(a: Tool, b: Tool): number {
  const [left, right] = [embed(a), embed(b)]
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0)
}

const hidden = new Map<EvaluationQuery, ReadonlySet<Tool>>()

/** Rejects the relevant tools of a query and all tools similar to them. */
function hideRelevant({ tools }: TuningSet, query: EvaluationQuery): (tool: Tool) => boolean {
  const cached = hidden.get(query) ?? new Set(similarTools())
  hidden.set(query, cached)
  return (tool) => !cached.has(tool)

  function similarTools(): Tool[] {
    const relevant = tools.filter(({ name }) => query.relevant.includes(name))
    return tools.filter((tool) => relevant.some((other) => similarity(other, tool) > SIMILAR))
  }
}

function printFigure({ lost, abstained }: Figure): string {
  return `R@5 lost ${(lost * 100).toFixed(1)}  abstained ${(abstained * 100).toFixed(0)} %`
}

await runCommand(tuneDoubt)
