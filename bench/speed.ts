import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import { isBusy, thisMachine } from './machine.ts'
import { bundleChild } from './speed/bundle-child.ts'
import { type BenchQuery, readBenchQueries } from './speed/choose-queries.ts'
import { ENGINES } from './speed/engines.ts'
import { type CatalogueEffort, measureCatalogue } from './speed/measure-catalogue.ts'
import { findDisagreements, printSpeedReport } from './speed/print-speed-report.ts'
import { readCatalogue } from './speed/read-catalogue.ts'
import { endChildrenOnSignals, runChild } from './speed/run-child.ts'
import type { CatalogueFigures, SpeedReport } from './speed/speed-report.ts'

const HELP = `Measure the speed and memory of our search, compared with MiniSearch and Orama.

  npm run bench -- speed [--data DIR] [--quick] [--all] [--json] [--write]

  --data DIR  folder with the data sets (default: ../shared/data, relative to the repository)
  --quick     take about a minute instead of four: fewer processes, and only MiniSearch to compare
  --all       also measure the peers with 100,000 tools, which takes a few minutes more
  --json      print JSON instead of tables ("npm run --silent bench" hides npm's own output)
  --write     save the report in bench/results/speed.json and speed.md
  --help      print this text`

const SET = 'toucan-catalog'
const MANY_TOOLS = 100_000
const SECONDS_FOR_SEARCH_ROUND = 20

const FULL: CatalogueEffort = {
  processes: 5,
  builds: 5,
  sessions: 3,
  buildRounds: 2,
  changeRounds: 2,
  searchRounds: 3,
  secondsForSearchRound: SECONDS_FOR_SEARCH_ROUND,
}
const QUICK: CatalogueEffort = {
  ...FULL,
  processes: 3,
  builds: 3,
  sessions: 1,
  buildRounds: 1,
  changeRounds: 1,
  searchRounds: 2,
}
const MANY: CatalogueEffort = {
  ...QUICK,
  processes: 1,
  builds: 1,
}
const QUICK_MANY: CatalogueEffort = { ...MANY, builds: 0, searchRounds: 1 }

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  endChildrenOnSignals()
  const report = await measure(dataFolder(options.data), options)
  for (const warning of report.warnings) progress(warning)
  if (options.write) writeResults('speed', report, printSpeedReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printSpeedReport(report))
}

interface Scope {
  readonly quick: boolean
  readonly all: boolean
}

async function measure(folder: string, { quick, all }: Scope): Promise<SpeedReport> {
  const queries = readBenchQueries(folder)
  const { tools, rejected } = readCatalogue(folder, SET)
  const machine = thisMachine()
  if (isBusy(machine)) {
    progress(`the machine is busy (load ${machine.loadBefore}): times will be too long`)
  }
  const file = await bundleChild()
  const request = {
    queries,
    run: <Task extends Parameters<typeof runChild>[1]>(task: Task) => runChild(file, task),
    report: progress,
  }
  const some = ['ranker', 'toolsearch', 'MiniSearch']
  const engines = quick ? ENGINES.filter(({ name }) => some.includes(name)) : ENGINES
  const catalogues: CatalogueFigures[] = [
    await measureCatalogue({
      ...request,
      source: { folder, set: SET, tools: tools.length },
      engines,
      effort: quick ? QUICK : FULL,
    }),
    await measureCatalogue({
      ...request,
      queries: everyThird(queries),
      source: { folder, set: SET, tools: MANY_TOOLS },
      engines: engines.filter(({ name, side }) => all || (side === 'ours' && name !== 'semantics')),
      effort: quick ? QUICK_MANY : MANY,
    }),
  ]
  return {
    date: new Date().toISOString(),
    machine,
    versions: peerVersions(),
    queries: {
      short: count(queries, 'short'),
      sentences: count(queries, 'sentence'),
      foreign: count(queries, 'foreign'),
    },
    rejected,
    catalogues,
    warnings: findDisagreements(catalogues),
  }
}

/** A third of the queries, evenly spaced: searches in a large catalogue take ten times as long. */
function everyThird(queries: readonly BenchQuery[]): readonly BenchQuery[] {
  return queries.filter((_, at) => at % 3 === 0)
}

function count(queries: readonly BenchQuery[], kind: BenchQuery['kind']): number {
  return queries.filter((query) => query.kind === kind).length
}

function peerVersions(): Record<string, string> {
  const { devDependencies } = JSON.parse(readFileSync(resolve(BENCH, 'package.json'), 'utf8'))
  return { MiniSearch: devDependencies.minisearch, Orama: devDependencies['@orama/orama'] }
}

await runCommand(main)
