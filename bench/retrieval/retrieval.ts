import { parseArgs } from 'node:util'
import { dataFolder, progress, runCommand, writeResults } from '../bench-command.ts'
import { HALVES } from '../data/halves.ts'
import { findSets, setFiles } from '../data/read-sets.ts'
import { thisMachine } from '../machine.ts'
import type { Contender } from './contender.ts'
import { CONTENDERS, chooseContenders, installPeersOf, versionsOf } from './contenders.ts'
import { measureSet } from './measure-set.ts'
import { printRetrievalReport } from './print-retrieval-report.ts'
import type { Figures, Macro, Named, RetrievalReport, SetFigures } from './retrieval-report.ts'
import { REQUESTS, type RetrievalSet, readRequests, readRetrievalSet } from './retrieval-set.ts'
import { shortfalls } from './shortfalls.ts'

const HELP = `Measure how often our rankers and other libraries find the right tool.

  npm run bench -- retrieval [--data DIR] [--set NAMES] [--only NAMES] [--json] [--write]

  --data DIR    folder with the data sets: DIR/*/tools.jsonl and queries.jsonl
                (default: ../shared/data, relative to the repository)
  --set NAMES   measure only these sets: metatool,${REQUESTS}
                (default: all in the folder, and ${REQUESTS}, which is part of this repository)
  --only NAMES  measure only these searches: hybrid,bm25,ratel
  --json        print JSON instead of tables
  --write       save the report in bench/results/retrieval.json and retrieval.md
  --help        print this text

Searches: ${CONTENDERS.map(({ name }) => name).join(', ')}.
Installs the other libraries in bench/peers on first use.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const contenders = options.only === '' ? CONTENDERS : chooseContenders(options.only.split(','))
  const sets = readSets(dataFolder(options.data), names(options.set))
  const report = await measure(sets, contenders)
  if (options.write) writeResults('retrieval', report, printRetrievalReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printRetrievalReport(report))
}

function names(list: string): string[] {
  return list.split(',').filter((name) => name !== '')
}

function readSets(folder: string, only: readonly string[]): RetrievalSet[] {
  if (only.length > 0) {
    return only.map((name) =>
      name === REQUESTS ? readRequests() : readRetrievalSet(setFiles(folder, name)),
    )
  }
  return [...findSets(folder).map(readRetrievalSet), readRequests()]
}

async function measure(
  retrievalSets: readonly RetrievalSet[],
  contenders: readonly Contender[],
): Promise<RetrievalReport> {
  installPeersOf(contenders, progress)
  const sets: SetFigures[] = []
  for (const set of retrievalSets) sets.push(await measureSet(set, contenders, progress))
  const english = sets.filter(({ name }) =>
    HALVES.some(({ set, group }) => set === name && group === 'english'),
  )
  const averaged = english.length > 0 ? english : sets
  return {
    date: new Date().toISOString(),
    machine: thisMachine(),
    versions: versionsOf(CONTENDERS),
    sets,
    macroSets: averaged.map(({ name }) => name),
    macro: macroAverage(averaged),
    below: shortfalls(sets),
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

await runCommand(main)
