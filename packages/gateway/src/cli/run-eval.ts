import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { EvaluationQuery } from 'toolsearch/evaluation'
import { parseQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import { evaluateQueries, isServed } from '../inspection/saved-report.ts'
import { checkRanker, chooseRanker } from './choose-ranker.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfig } from './find-config.ts'
import { count } from './format.ts'
import { plain, plainJson } from './plain.ts'
import { waitForVectors } from './wait-for-vectors.ts'
import { withGateway } from './with-gateway.ts'

const HOW_TO_SAVE =
  '\nSpecify a file with --queries FILE, or save queries with toolsearch search QUERY --save TOOL.'
const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '))
const percent = (value: number) => `${(100 * value).toFixed(1)}%`

export async function runEval(call: CommandCall): Promise<number> {
  const { values, terminal } = call
  const queries =
    typeof values.queries === 'string'
      ? await readQueries(resolve(call.cwd, values.queries))
      : await readSaved(call)
  const minRecall = values['min-recall'] === undefined ? 0 : Number(values['min-recall'])
  if (!(minRecall >= 0 && minRecall <= 1)) {
    throw new UsageError(
      `Invalid --min-recall "${values['min-recall']}": use a number from 0 to 1.`,
    )
  }
  await checkRanker(values.ranker)
  return withGateway(
    call,
    async (open) => {
      const { gateway } = open
      await waitForVectors(open, call)
      const { toolSearch } = await chooseRanker(gateway, values.ranker)
      const evaluation = await evaluateQueries(toolSearch, queries)
      const { scores, queries: total, unserved, doubted } = evaluation.all
      const recall = scores?.recallAt5 ?? 0
      if (values.json) terminal.print(plainJson(evaluation, 2))
      else {
        const recallAt1 = percent(scores?.recallAt1 ?? 0)
        const noMatch = unserved > 0 ? `  correct "no sure match" ${percent(doubted ?? 0)}` : ''
        terminal.print(
          `R@1 ${recallAt1}  R@5 ${percent(recall)}${noMatch}  ${count(total, 'query', 'queries')}`,
        )
        for (const { query, found } of evaluation.results.filter((each) => !isServed(each))) {
          terminal.print(
            `missed "${plain(query.query)}": expected ${list(query.relevant)}, ` +
              `found ${list(found.slice(0, 5))}`,
          )
        }
      }
      return recall >= minRecall ? OK : FAILED
    },
    { connect: values.refresh ? 'all' : 'unknown', isSearched: true },
  )
}

async function readSaved(call: CommandCall): Promise<EvaluationQuery[]> {
  const { file, config } = await findConfig(call)
  if (config.state.postgres === undefined) {
    return readQueries(savedQueriesFile(file), HOW_TO_SAVE)
  }
  const { openCommandRecords } = await import('./open-command-records.ts')
  const { postgres, close } = await openCommandRecords(call)
  const { queries } = await postgres!.savedQueries.read().finally(close)
  if (queries.length === 0) throw new UsageError(`There are no saved queries.${HOW_TO_SAVE}`)
  return queries
}

async function readQueries(file: string, hint = ''): Promise<EvaluationQuery[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`Could not read ${file}: ${(error as Error).message}${hint}`)
  }
  return parseQueries(text).map(({ query, at, problem }) => {
    if (query) return query
    throw new UsageError(`${file}, line ${at}: ${problem}`)
  })
}
