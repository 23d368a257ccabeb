import { existsSync, readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import {
  type CountTokens,
  estimateTokens,
} from '../packages/toolsearch/src/tokens/estimate-tokens.ts'
import { dataFolder, runCommand } from './bench-command.ts'
import { readLines } from './data/read-lines.ts'
import { setFiles } from './data/read-sets.ts'
import { InputError } from './input-error.ts'
import { quantile, sum } from './statistics.ts'
import { plainTable } from './table.ts'

const HELP = `Compare our token estimate with a real tokenizer (o200k_base): error and speed.

  npm run bench -- tokens [--data DIR] [--json]

  --data DIR  folder with the data sets: DIR/*/tools.jsonl and queries.jsonl
              (default: ../shared/data, relative to the repository)
  --json      print JSON instead of a table
  --help      print this text`

interface Row {
  readonly set: string
  readonly texts: number
  readonly exactTokens: number
  readonly estimatedTokens: number
  /** Error of the total; positive if the estimate is too high. */
  readonly sumErrorPercent: number
  /** Absolute error of one text. */
  readonly medianErrorPercent: number
  readonly p90ErrorPercent: number
  /** How many times faster than the tokenizer, both after a warm-up. */
  readonly speedRatio: number
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const folder = dataFolder(options.data)
  const rows = existsSync(folder) ? measureFolder(folder) : []
  if (rows.length === 0) {
    throw new InputError(
      `No data sets in ${folder}: expected <set>/tools.jsonl. Choose another folder with --data DIR.`,
    )
  }
  console.log(options.json ? JSON.stringify(rows, null, 2) : printRows(rows))
}

function measureFolder(folder: string): Row[] {
  const sets = readdirSync(folder).map((name) => setFiles(folder, name))
  return sets
    .filter(({ tools }) => existsSync(tools))
    .flatMap(({ name, tools, queries }) => {
      const definitions = readLines(tools).map(({ fields }) => toolText(fields))
      const texts = queryTexts(queries, name === 'metatool' ? 20 : 1)
      const rows = [measure(`${name} tools`, definitions)]
      return texts.length > 0 ? [...rows, measure(`${name} queries`, texts)] : rows
    })
}

function toolText(tool: Record<string, unknown>): string {
  const { name, description, parameters: inputSchema } = tool
  return JSON.stringify({ name, description, inputSchema })
}

function queryTexts(file: string, step: number): string[] {
  if (!existsSync(file)) return []
  return readLines(file)
    .filter((_, at) => at % step === 0)
    .map(({ fields }) => String(fields.query))
}

function measure(set: string, texts: readonly string[]): Row {
  const exactCount: CountTokens = (text) => encode(text).length
  const exact = texts.map(exactCount)
  const estimates = texts.map(estimateTokens)
  const errors = texts.map((_, at) => Math.abs(percentOff(estimates[at]!, exact[at]!)))
  return {
    set,
    texts: texts.length,
    exactTokens: sum(exact),
    estimatedTokens: sum(estimates),
    sumErrorPercent: percentOff(sum(estimates), sum(exact)),
    medianErrorPercent: quantile(errors, 0.5),
    p90ErrorPercent: quantile(errors, 0.9),
    speedRatio: millisecondsPerPass(exactCount, texts) / millisecondsPerPass(estimateTokens, texts),
  }
}

/** The fastest of the passes that fit into 200 ms, which other processes disturbed least. */
function millisecondsPerPass(count: CountTokens, texts: readonly string[]): number {
  let fastest = Number.POSITIVE_INFINITY
  let tokens = 0
  const stop = performance.now() + 200
  while (performance.now() < stop) {
    const start = performance.now()
    for (const text of texts) tokens += count(text)
    fastest = Math.min(fastest, performance.now() - start)
  }
  if (tokens === 0) throw new Error('The texts have no tokens.')
  return fastest
}

function percentOff(estimate: number, exact: number): number {
  return exact === 0 ? 0 : (estimate / exact - 1) * 100
}

function printRows(rows: readonly Row[]): string {
  const head = ['set', 'texts', 'o200k', 'estimate', 'sum off', 'median off', 'p90 off', 'faster']
  const lines = rows.map((row) => [
    row.set,
    String(row.texts),
    String(row.exactTokens),
    String(row.estimatedTokens),
    `${row.sumErrorPercent < 0 ? '' : '+'}${row.sumErrorPercent.toFixed(1)} %`,
    `${row.medianErrorPercent.toFixed(1)} %`,
    `${row.p90ErrorPercent.toFixed(1)} %`,
    `${row.speedRatio.toFixed(0)}x`,
  ])
  return plainTable(head, lines).join('\n')
}

await runCommand(main)
