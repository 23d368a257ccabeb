import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import { readQueries } from './data/read-queries.ts'
import { findSets, type SetFiles } from './data/read-sets.ts'
import { isBusy, thisMachine } from './machine.ts'
import { chooseQueries } from './speed/choose-queries.ts'
import { ENGINES } from './speed/engines.ts'
import { type CatalogueEffort, measureCatalogue } from './speed/measure-catalogue.ts'
import { printSpeedReport } from './speed/print-speed-report.ts'
import { readCatalogue } from './speed/read-catalogue.ts'
import type { SpeedReport } from './speed/speed-report.ts'

const HELP = `Measure the speed and memory of our search, compared with MiniSearch and Orama.

  npm run bench -- [--data DIR] [--all] [--json] [--write]

  --data DIR  folder with the data sets (default: ../shared/data, relative to the repository)
  --all       also measure the peers with 100,000 tools, which takes a few minutes more
  --json      print JSON instead of tables ("npm run --silent bench" hides npm's own output)
  --write     save the report in bench/results/speed.json and speed.md
  --help      print this text`

const SET = 'toucan-catalog'
const MANY_TOOLS = 100_000
const FULL_EFFORT: CatalogueEffort = {
  buildRounds: 6,
  changeRounds: 4,
  searchRounds: 5,
  secondsForSearchRound: 30,
  processes: 3,
}
const LOW_EFFORT: CatalogueEffort = {
  buildRounds: 2,
  changeRounds: 2,
  searchRounds: 3,
  secondsForSearchRound: 20,
  processes: 1,
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
  const report = await measure(dataFolder(options.data), options.all)
  if (options.write) writeResults('speed', report, printSpeedReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printSpeedReport(report))
}

async function measure(folder: string, all: boolean): Promise<SpeedReport> {
  const queries = chooseQueries(findSets(folder).map(queryTexts))
  const { tools, rejected } = readCatalogue(folder, SET)
  const machine = thisMachine()
  if (isBusy(machine))
    progress(`the machine is busy (load ${machine.loadBefore}): times will be too long`)
  const request = { folder, set: SET, queries, tools, report: progress }
  return {
    date: new Date().toISOString(),
    machine,
    versions: peerVersions(),
    queries: {
      short: queries.filter((query) => query.kind === 'short').length,
      sentences: queries.filter((query) => query.kind === 'sentence').length,
    },
    rejected,
    catalogues: [
      await measureCatalogue({
        ...request,
        count: tools.length,
        engines: ENGINES,
        effort: FULL_EFFORT,
      }),
      await measureCatalogue({
        ...request,
        count: MANY_TOOLS,
        engines: all ? ENGINES : ENGINES.filter((engine) => engine.side === 'ours'),
        effort: LOW_EFFORT,
      }),
    ],
  }
}

function queryTexts({ queries }: SetFiles): string[] {
  return readQueries([queries]).map(({ query }) => query)
}

function peerVersions(): Record<string, string> {
  const { devDependencies } = JSON.parse(readFileSync(resolve(BENCH, 'package.json'), 'utf8'))
  return { MiniSearch: devDependencies.minisearch, Orama: devDependencies['@orama/orama'] }
}

await runCommand(main)
