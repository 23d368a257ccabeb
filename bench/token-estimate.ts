import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import {
  type CountTokens,
  estimateTokens,
} from '../packages/toolsearch/src/tokens/estimate-tokens.ts'
import { readLines } from './read-data.ts'

/**
 * How far `estimateTokens` is from o200k_base on real tool lists and requests, and how much faster.
 *
 *     tsx --conditions=@toolsearch/source bench/token-estimate.ts [--data DIR] [--json]
 */
interface Row {
  readonly set: string
  readonly texts: number
  readonly exactTokens: number
  readonly estimatedTokens: number
  /** Of the sum; positive where the estimate is too high. */
  readonly sumErrorPercent: number
  /** Of one text, without sign. */
  readonly medianErrorPercent: number
  readonly p90ErrorPercent: number
  /** How many times faster than the tokenizer, both warm. */
  readonly speedRatio: number
}

const repository = fileURLToPath(new URL('..', import.meta.url))
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: resolve(repository, '../shared/data') },
    json: { type: 'boolean', default: false },
  },
})

const rows = existsSync(options.data) ? measureFolder(options.data) : []
if (rows.length === 0) {
  console.error(
    `No tool lists in ${resolve(options.data)}: expected <set>/tools.jsonl. Name a folder with --data DIR.`,
  )
  process.exit(2)
}
if (options.json) console.log(JSON.stringify(rows, null, 2))
else printTable(rows)

function measureFolder(folder: string): Row[] {
  const sets = readdirSync(folder).filter((set) => existsSync(join(folder, set, 'tools.jsonl')))
  return sets.flatMap((set) => {
    const tools = readLines(join(folder, set, 'tools.jsonl')).map(toolText)
    const queries = readQueries(join(folder, set, 'queries.jsonl'), set === 'metatool' ? 20 : 1)
    const rows = [measure(`${set} tools`, tools)]
    return queries.length > 0 ? [...rows, measure(`${set} queries`, queries)] : rows
  })
}

function toolText(tool: Record<string, unknown>): string {
  const { name, description, parameters: inputSchema } = tool
  return JSON.stringify({ name, description, inputSchema })
}

function readQueries(file: string, every: number): string[] {
  if (!existsSync(file)) return []
  return readLines(file)
    .filter((_, line) => line % every === 0)
    .map(({ query }) => String(query))
}

function measure(set: string, texts: readonly string[]): Row {
  const exactCount: CountTokens = (text) => encode(text).length
  const exact = texts.map(exactCount)
  const estimates = texts.map(estimateTokens)
  const errors = texts.map((_, at) => Math.abs(percentOff(estimates[at]!, exact[at]!)))
  errors.sort((a, b) => a - b)
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

/** The fastest pass of a fifth of a second's worth: the one the machine disturbed least. */
function millisecondsPerPass(count: CountTokens, texts: readonly string[]): number {
  let fastest = Number.POSITIVE_INFINITY
  let tokens = 0
  const stop = performance.now() + 200
  while (performance.now() < stop) {
    const start = performance.now()
    for (const text of texts) tokens += count(text)
    fastest = Math.min(fastest, performance.now() - start)
  }
  if (tokens === 0) throw new Error('Nothing was counted.')
  return fastest
}

function percentOff(estimate: number, exact: number): number {
  return exact === 0 ? 0 : (estimate / exact - 1) * 100
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function printTable(rows: readonly Row[]): void {
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
  const head = ['set', 'texts', 'o200k', 'estimate', 'sum off', 'median off', 'p90 off', 'faster']
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]!.length)),
  )
  for (const line of [head, ...lines]) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    )
    console.log(cells.join('  '))
  }
}
