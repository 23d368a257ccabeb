/**
 * Builds the embedding table of `toolsearch-semantics`. README.md explains the steps.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fromCaller, runCommand } from '../bench/bench-command.ts'
import { readStaticTable } from '../packages/semantics/src/table-format.ts'
import { type ContrastOptions, contrast, type RowPair } from './contrast.ts'
import { quantiseTable } from './quantise-table.ts'
import { readPairs, type ToolPair } from './read-pairs.ts'
import { type TaughtStudent, teachStudent, tellingPieces } from './teach-student.ts'
import { writeStaticTable } from './write-static-table.ts'

const REVISION = 3
const CONTRAST: ContrastOptions = {
  steps: 900,
  batch: 512,
  fromOneSource: 0.2,
  temperature: 0.07,
  reverse: 0.3,
  dropout: 0.1,
  rate: 0.002,
  keep: 0.3,
  seed: 1,
}

const REPOSITORY = resolve(import.meta.dirname, '..')
const HELP = `Build the embedding table of toolsearch-semantics.

  npm run distill -w training -- [--cache DIR] [--pairs DIR] [--start FILE] [--out FILE]

  --cache DIR   downloads and vectors of the teachers, which later runs reuse
                (default: toolsearch-distill in the temp folder)
  --pairs DIR   pairs of requests and tools: DIR/<source>.jsonl.gz
                (default: ../shared/data/pairs, relative to the repository)
  --start FILE  start the contrastive pass with this table instead of distilling
  --out FILE    the table (default: packages/semantics/data/table.bin)
  --help        print this text`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      cache: { type: 'string', default: join(tmpdir(), 'toolsearch-distill') },
      pairs: { type: 'string', default: resolve(REPOSITORY, '../shared/data/pairs') },
      start: { type: 'string' },
      out: { type: 'string', default: join(REPOSITORY, 'packages/semantics/data/table.bin') },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  // First, because the teachers run for a long time.
  const toolPairs = readPairs(fromCaller(options.pairs))
  const cache = fromCaller(options.cache)
  mkdirSync(cache, { recursive: true })
  const { student, vocabulary } = options.start
    ? readStudent(fromCaller(options.start))
    : await teachStudent(cache, report)

  const pairs = toRows(toolPairs, vocabulary)
  report(`contrasting ${pairs.length} pairs`)
  let closestSum = 0
  contrast(student, pairs, CONTRAST, (step, closest) => {
    closestSum += closest
    if (step % 100 > 0) return
    // The sum of a hundred shares is their mean in per cent.
    report(`step ${step}: own tool first for ${closestSum.toFixed(1)} %`)
    closestSum = 0
  })
  const id = `toolsearch-semantics-${REVISION}-${student.dimensions}d`
  const out = fromCaller(options.out)
  writeFileSync(out, writeStaticTable(quantiseTable(student, vocabulary, id)))
  report(`wrote ${out}`)
}

function readStudent(file: string): TaughtStudent {
  const { dimensions, pieces, scales, values } = readStaticTable(readFileSync(file))
  const rows = Float32Array.from(
    values,
    (value, at) => value * scales[Math.floor(at / dimensions)]!,
  )
  return { student: { dimensions, rows, moved: new Float32Array() }, vocabulary: pieces }
}

function toRows(pairs: readonly ToolPair[], vocabulary: readonly string[]): RowPair[] {
  const toPieces = tellingPieces(vocabulary)
  const ids = new Map<string, number>()
  const idOf = (key: string) => {
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  }
  return pairs
    .map(({ source, request, name, text }) => ({
      source,
      requestId: idOf(request.toLowerCase()),
      toolId: idOf(`${source}\n${name.toLowerCase()}`),
      request: toPieces(request),
      tool: toPieces(text),
    }))
    .filter(({ request, tool }) => request.length > 0 && tool.length > 0)
}

function report(text: string): void {
  console.log(`${Math.round(performance.now() / 1000)} s  ${text}`)
}

await runCommand(main)
