/** Measures how well tables find tools, alone and combined with keywords. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder, fromCaller, runCommand } from '../bench/bench-command.ts'
import { setFiles } from '../bench/data/read-sets.ts'
import { ownSet } from '../bench/evaluation/evaluation-set.ts'
import { readRetrievalSet } from '../bench/retrieval/retrieval-set.ts'
import { mean } from '../bench/statistics.ts'
import { markdownTable } from '../bench/table.ts'
import { createStaticEmbedder } from '../packages/semantics/src/static-embedder.ts'
import { createCatalogue } from '../packages/toolsearch/src/catalogue/catalogue.ts'
import type { ToolDefinition } from '../packages/toolsearch/src/catalogue/tool.ts'
import {
  type EvaluationQuery,
  labelsOf,
} from '../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { scoreQuery } from '../packages/toolsearch/src/evaluation/score-query.ts'
import { parseQuery } from '../packages/toolsearch/src/query/parse-query.ts'
import { weightedHybridRanker } from '../packages/toolsearch/src/ranking/hybrid-ranker.ts'
import { HYBRID_WEIGHTS } from '../packages/toolsearch/src/ranking/hybrid-weights.ts'

const HELP = `Compare embedding tables by R@5 of the hybrid ranker on public data sets.

  npm run measure -w training -- [--data DIR] [TABLE...]

  --data DIR  folder with the data sets: DIR/*/tools.jsonl and queries.jsonl
              (default: ../shared/data, relative to the repository)
  --help      print this text

Measures the published table by default. A weight of 0 for words is the table alone.`

const SETS = ['azure-mcp', 'mcpverse', 'metatool', 'seal-tools-dev', 'toollinkos']
const WORD_WEIGHTS = [0, 1, 1.5]

interface MeasuredSet {
  readonly name: string
  readonly tools: readonly ToolDefinition[]
  readonly queries: readonly EvaluationQuery[]
}

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    options: { data: { type: 'string' }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (options.help) return console.log(HELP)
  const published = join(import.meta.dirname, '../packages/semantics/data/table.bin')
  const tables = positionals.length > 0 ? positionals : [published]
  const sets = readSets(dataFolder(options.data))
  const rows = tables.flatMap((file) =>
    WORD_WEIGHTS.map((words) => {
      const figures = sets.map((set) => recallAt5(fromCaller(file), set, words))
      const cells = [...figures, mean(figures)].map((figure) => (100 * figure).toFixed(1))
      return [file, String(words), ...cells]
    }),
  )
  const head = ['table', 'words', ...sets.map(({ name }) => name), 'mean']
  console.log(markdownTable(head, rows).join('\n'))
}

function readSets(folder: string): MeasuredSet[] {
  const { tools, queries } = ownSet()
  return [
    ...SETS.map((name) => readRetrievalSet(setFiles(folder, name))),
    { name: 'own set', tools, queries: queries.filter(({ relevant }) => relevant.length > 0) },
  ]
}

function recallAt5(file: string, { tools, queries }: MeasuredSet, words: number): number {
  const vectors = createStaticEmbedder(readFileSync(file))
  const ranker = weightedHybridRanker({ vectors }, { ...HYBRID_WEIGHTS, words })
  for (const tool of createCatalogue(tools).tools()) ranker.set(tool)
  return mean(
    queries.map((query) => {
      const parsed = parseQuery(query.query, { select: false, required: false })
      if (parsed.kind !== 'words') return 0
      const { hits } = ranker.rank(parsed, { limit: 5, ties: 'catalogue' })
      return scoreQuery(
        hits.map(({ tool }) => tool.name),
        labelsOf(query),
      ).recallAt5
    }),
  )
}

await runCommand(main)
