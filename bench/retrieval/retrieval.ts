import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, dataFolder, progress, runCommand, writeResults } from '../bench-command.ts'
import { findSets, setFiles } from '../data/read-sets.ts'
import { installPeers, pinnedVersions } from '../install-peers.ts'
import { thisMachine } from '../machine.ts'
import { CONTENDERS } from './contenders.ts'
import { measureSet } from './measure-set.ts'
import { printRetrievalReport } from './print-retrieval-report.ts'
import type { Figures, Macro, Named, RetrievalReport, SetFigures } from './retrieval-report.ts'
import { type RetrievalSet, readRetrievalSet } from './retrieval-set.ts'

const PEERS = resolve(BENCH, 'peers')

const HELP = `Measure how often our rankers and other libraries find the right tool.

  npm run bench:retrieval -- [--data DIR] [--set NAME] [--json] [--write]

  --data DIR  folder with the data sets: DIR/*/tools.jsonl and queries.jsonl
              (default: ../shared/data, relative to the repository)
  --set NAME  measure only this set
  --json      print JSON instead of tables
  --write     save the report in bench/results/retrieval.json and retrieval.md
  --help      print this text

Installs the other libraries in bench/peers on first use.`

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
  const sets = options.set ? [setFiles(folder, options.set)] : findSets(folder)
  const report = await measure(sets.map(readRetrievalSet))
  if (options.write) writeResults('retrieval', report, printRetrievalReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printRetrievalReport(report))
}

async function measure(retrievalSets: readonly RetrievalSet[]): Promise<RetrievalReport> {
  installPeers({ folder: PEERS, size: '360 MB', report: progress })
  const sets: SetFigures[] = []
  for (const set of retrievalSets) sets.push(await measureSet(set, CONTENDERS, progress))
  return {
    date: new Date().toISOString(),
    machine: thisMachine(),
    versions: versions(),
    sets,
    macro: macroAverage(sets),
  }
}

/** The mean over the sets, each with the same weight, of contenders with figures for every set. */
function macroAverage(sets: readonly SetFigures[]): (Named & Macro)[] {
  return (sets[0]?.rows ?? []).flatMap(({ name, side }) => {
    const rows = sets.flatMap(({ rows }) => rows.filter((row) => row.name === name))
    const complete = rows.filter((row): row is Named & Figures => !('failure' in row))
    if (complete.length < sets.length) return []
    const mean = (key: keyof Macro) =>
      complete.reduce((sum, row) => sum + row[key], 0) / sets.length
    return {
      name,
      side,
      recallAt1: mean('recallAt1'),
      recallAt5: mean('recallAt5'),
      ndcgAt5: mean('ndcgAt5'),
      p50Ms: mean('p50Ms'),
    }
  })
}

function versions(): Record<string, string> {
  const read = (file: string) => JSON.parse(readFileSync(resolve(BENCH, file), 'utf8'))
  // MiniSearch and Orama are dependencies of the benchmarks themselves.
  const pinned = { ...read('package.json').devDependencies, ...pinnedVersions(PEERS) }
  const peers = CONTENDERS.flatMap((contender) => contender.package ?? [])
  return {
    toolsearch: read('../packages/toolsearch/package.json').version,
    ...Object.fromEntries(peers.map((name) => [name, pinned[name] ?? 'unknown'])),
  }
}

await runCommand(main)
