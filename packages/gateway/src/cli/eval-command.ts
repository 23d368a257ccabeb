import { readFile } from 'node:fs/promises'
import { type EvaluationQuery, evaluate } from 'toolsearch/evaluation'
import { isServed } from '../inspection/is-served.ts'
import { parseQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import { chosenSearch } from './chosen-search.ts'
import { type Command, NOT_WELL, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { findConfig } from './find-config.ts'
import { plain } from './plain.ts'
import { UsageError } from './usage-error.ts'
import { withGateway } from './with-gateway.ts'

const HOW_TO_SAVE =
  '\nName the queries with --queries FILE, or save some: toolsearch search QUERY --save TOOL.'
const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '))
const percent = (value: number) => `${(100 * value).toFixed(1)} %`

export const evalCommand: Command = {
  name: 'eval',
  summary: 'says how well your tools are found by queries whose answers you know',
  usage: '[--queries FILE] [options]',
  options: {
    ...commonOptions,
    queries: { type: 'string', short: 'q' },
    'min-recall': { type: 'string' },
    ranker: { type: 'string' },
  },
  help: [
    ...commonHelp,
    '-q, --queries FILE  one JSON object to a line: {"query": "…", "relevant": ["server__tool"]};',
    '                    toolsearch.queries.jsonl beside the configuration if left out',
    '--min-recall N      fail when fewer are found among the first five, 0 to 1',
    '--ranker ID         another way to rank than the one that serves: unified, hybrid, bm25, …',
  ],
  examples: ['toolsearch eval', 'toolsearch eval --queries queries.jsonl --min-recall 0.8'],
  async run(call) {
    const { values, terminal } = call
    const queries =
      typeof values.queries === 'string'
        ? await readQueries(values.queries)
        : await readQueries(savedQueriesFile((await findConfig(call)).file), HOW_TO_SAVE)
    const least = values['min-recall'] === undefined ? 0 : Number(values['min-recall'])
    if (!(least >= 0 && least <= 1)) {
      throw new UsageError(`--min-recall is "${values['min-recall']}"; give a number from 0 to 1.`)
    }
    return withGateway(call, async ({ gateway }) => {
      const toolSearch = await chosenSearch(gateway, values.ranker)
      const evaluation = await evaluate(
        (query, limit) => toolSearch.search(query, { limit }).hits.map(({ tool }) => tool.name),
        queries,
      )
      const { scores, queries: count, unserved, abstained } = evaluation.all
      const found = scores?.recallAt5 ?? 0
      if (values.json) terminal.print(JSON.stringify(evaluation, null, 2))
      else {
        const first = percent(scores?.recallAt1 ?? 0)
        const rightly = unserved > 0 ? `  nothing found, rightly ${percent(abstained ?? 0)}` : ''
        terminal.print(`R@1 ${first}  R@5 ${percent(found)}${rightly}  ${count} queries`)
        for (const result of evaluation.results.filter((one) => !isServed(one))) {
          const { query, relevant } = result.query
          terminal.print(
            `missed "${plain(query)}": wanted ${list(relevant)}, found ${list(result.found.slice(0, 5))}`,
          )
        }
      }
      return found >= least ? OK : NOT_WELL
    })
  },
}

async function readQueries(file: string, hint = ''): Promise<EvaluationQuery[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}${hint}`)
  }
  return parseQueries(text).map(({ query, at, problem }) => {
    if (query) return query
    throw new UsageError(`${file}, line ${at}: ${problem}`)
  })
}
