import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MissingDataError, readCatalogue, readQueries } from './read-data.ts'
import { chooseQueries } from './speed/choose-queries.ts'
import { ENGINES } from './speed/engines.ts'
import { isBusy, thisMachine } from './speed/machine.ts'
import { type CatalogueEffort, measureCatalogue } from './speed/measure-catalogue.ts'
import { printReport } from './speed/print-report.ts'
import type { SpeedReport } from './speed/speed-report.ts'

const HELP = `How fast our search is and what its index takes, beside MiniSearch and Orama.

  npm run bench -- [--data DIR] [--all] [--json] [--write]

  --data DIR  where the data sets are (default: ../shared/data from the repository)
  --all       the peers at 100,000 tools too, which takes some minutes more
  --json      the figures only; "npm run --silent bench" keeps npm quiet too
  --write     also keeps them, in bench/results/speed.json and speed.md
  --help      this text`

const SET = 'toucan-catalog'
const MANY_TOOLS = 100_000
const USUAL: CatalogueEffort = {
  buildRounds: 6,
  changeRounds: 4,
  searchRounds: 5,
  secondsForSearchRound: 30,
  processes: 3,
}
const BRIEF: CatalogueEffort = {
  buildRounds: 2,
  changeRounds: 2,
  searchRounds: 3,
  secondsForSearchRound: 20,
  processes: 1,
}

const bench = fileURLToPath(new URL('.', import.meta.url))
const start = performance.now()

try {
  await main()
} catch (error) {
  if (!isExpected(error)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  // npm runs this in bench/, but a path is meant from where npm was called
  const from = process.env.INIT_CWD ?? process.cwd()
  const folder = options.data ? resolve(from, options.data) : resolve(bench, '../../shared/data')

  const report = await measure(folder, options.all)
  if (options.write) write(report)
  console.log(options.json ? JSON.stringify(report, null, 2) : printReport(report))
}

async function measure(folder: string, all: boolean): Promise<SpeedReport> {
  const { tools, refused } = readCatalogue(folder, SET)
  const queries = chooseQueries(readQueries(folder))
  const machine = thisMachine()
  if (isBusy(machine))
    progress(`the machine is busy (load ${machine.loadBefore}): times will be long`)
  const request = { folder, set: SET, queries, tools, report: progress }
  return {
    date: new Date().toISOString(),
    machine,
    versions: peerVersions(),
    queries: {
      short: queries.filter((query) => query.kind === 'short').length,
      sentences: queries.filter((query) => query.kind === 'sentence').length,
    },
    refused,
    catalogues: [
      await measureCatalogue({ ...request, count: tools.length, engines: ENGINES, effort: USUAL }),
      await measureCatalogue({
        ...request,
        count: MANY_TOOLS,
        engines: all ? ENGINES : ENGINES.filter((engine) => engine.side === 'ours'),
        effort: BRIEF,
      }),
    ],
  }
}

function peerVersions(): Record<string, string> {
  const { devDependencies } = JSON.parse(readFileSync(resolve(bench, 'package.json'), 'utf8'))
  return { MiniSearch: devDependencies.minisearch, Orama: devDependencies['@orama/orama'] }
}

function write(report: SpeedReport): void {
  const folder = resolve(bench, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(resolve(folder, 'speed.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(resolve(folder, 'speed.md'), `${printReport(report)}\n`)
  progress(`wrote ${folder}/speed.json and speed.md`)
}

function progress(step: string): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.error(`${seconds.padStart(4)} s  ${step}`)
}

/** Missing data or an unknown option: the message is all that a person needs. */
function isExpected(error: unknown): error is Error {
  const code = (error as { code?: string }).code ?? ''
  return error instanceof MissingDataError || code.startsWith('ERR_PARSE_ARGS')
}
