import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import { readCatalogue, readQueries } from './read-data.ts'
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
  if (options.write) writeResults('speed', report, printReport(report))
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
  const { devDependencies } = JSON.parse(readFileSync(resolve(BENCH, 'package.json'), 'utf8'))
  return { MiniSearch: devDependencies.minisearch, Orama: devDependencies['@orama/orama'] }
}

await runCommand(main)
