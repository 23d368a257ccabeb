import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, dataFolder, progress, runCommand, writeResults } from '../bench-command.ts'
import { thisMachine } from '../speed/machine.ts'
import { CONTENDERS } from './contenders.ts'
import { installPeers, pinnedVersions } from './install-peers.ts'
import { macroAverage } from './macro-average.ts'
import { measureSet } from './measure-set.ts'
import { printReport } from './print-report.ts'
import { readSet, setNames } from './read-sets.ts'
import type { RetrievalReport, SetFigures } from './retrieval-report.ts'

const HELP = `How often the right tool is found: our rankers and the published peers, side by side.

  npm run bench:retrieval -- [--data DIR] [--set NAME] [--json] [--write]

  --data DIR  where the data sets are: DIR/*/tools.jsonl and queries.jsonl
              (default: ../shared/data from the repository)
  --set NAME  this set only
  --json      the figures only
  --write     also keeps them, in bench/results/retrieval.json and retrieval.md
  --help      this text

The peers are installed in bench/peers when they are not there yet.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const folder = dataFolder(options.data)
  const report = await measure(folder, options.set ? [options.set] : setNames(folder))
  if (options.write) writeResults('retrieval', report, printReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printReport(report))
}

async function measure(folder: string, names: readonly string[]): Promise<RetrievalReport> {
  const chosen = names.map((name) => readSet(folder, name))
  installPeers(progress)
  const sets: SetFigures[] = []
  for (const set of chosen) sets.push(await measureSet(set, CONTENDERS, progress))
  return {
    date: new Date().toISOString(),
    machine: thisMachine(),
    versions: versions(),
    sets,
    macro: macroAverage(sets),
  }
}

function versions(): Record<string, string> {
  const ours = resolve(BENCH, '../packages/toolsearch/package.json')
  const pinned = pinnedVersions()
  const peers = CONTENDERS.flatMap((one) => one.package ?? [])
  return {
    toolsearch: JSON.parse(readFileSync(ours, 'utf8')).version,
    ...Object.fromEntries(peers.map((name) => [name, pinned[name] ?? 'unknown'])),
  }
}

await runCommand(main)
