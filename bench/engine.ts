import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../testing/services/start-postgres.ts'
import { BENCH, dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import { findSets, setFiles } from './data/read-sets.ts'
import type { EngineReport, RecallRow } from './engine/engine-report.ts'
import { measureRecall } from './engine/measure-recall.ts'
import { measureScale } from './engine/measure-scale.ts'
import { printEngineReport } from './engine/print-engine-report.ts'
import { InputError } from './input-error.ts'
import { thisMachine } from './machine.ts'
import {
  REQUESTS,
  type RetrievalSet,
  readRequests,
  readRetrievalSet,
} from './retrieval/retrieval-set.ts'

const HELP = `Compare a search over PostgreSQL with one in memory, and measure a large catalogue.

  npm run bench -- engine [--part recall|scale] [--tools N] [--candidates N] [--set NAMES]
                          [--data DIR] [--json] [--write]

  --part NAME     measure only the recall, or only the large catalogue
  --tools N       tools of the large catalogue (default: 1000000, which takes about ten minutes)
  --candidates N  candidates of a search (default: 500)
  --set NAMES     measure only these sets: metatool,${REQUESTS}
  --queries N     at most N queries of each set and kind (default: 300)
  --data DIR      folder with the data sets (default: ../shared/data, relative to the repository)
  --json          print JSON instead of tables
  --write         save the report in bench/results/engine.json and engine.md; figures of a part
                  that was not measured stay
  --help          print this text

Starts a PostgreSQL of its own. It needs the server's programs: node scripts/install-services.js`

/** As on a small server of its own, with every write on the disk before it counts. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '2GB',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      part: { type: 'string' },
      tools: { type: 'string', default: '1000000' },
      candidates: { type: 'string', default: '500' },
      queries: { type: 'string', default: '300' },
      set: { type: 'string', default: '' },
      data: { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const { part } = options
  if (part !== undefined && part !== 'recall' && part !== 'scale') {
    throw new InputError(`There is no part "${part}". Use recall or scale.`)
  }
  const candidates = readCount(options.candidates, '--candidates')
  const queries = readCount(options.queries, '--queries')
  const tools = readCount(options.tools, '--tools')
  const machine = thisMachine()
  progress('start PostgreSQL')
  const server = await startPostgres({ settings: SETTINGS })
  try {
    const { freshDatabase } = server
    const measured = {
      date: new Date().toISOString(),
      machine,
      postgres: await versionOf(server.url),
    }
    const rows: RecallRow[] = []
    for (const read of part === 'scale' ? [] : findRetrievalSets(options)) {
      const set = read()
      progress(`${set.name}: ${set.tools.length} tools`)
      rows.push(...(await measureRecall(set, { candidates, queries, freshDatabase })))
    }
    const scaleOptions = { tools, candidates, queries, report: progress }
    const scale =
      part === 'recall'
        ? undefined
        : await measureScale({ ...scaleOptions, url: await freshDatabase() })
    const report: EngineReport = {
      ...(options.write && readSaved()),
      ...(rows.length > 0 && { recall: { ...measured, candidates, rows } }),
      ...(scale && { scale: { ...measured, ...scale } }),
    }
    if (options.write) writeResults('engine', report, printEngineReport(report))
    console.log(options.json ? JSON.stringify(report, null, 2) : printEngineReport(report))
  } finally {
    await server.close()
  }
}

/** The saved figures, for the part that this run does not measure. */
function readSaved(): EngineReport {
  const file = resolve(BENCH, 'results/engine.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function findRetrievalSets(options: { set: string; data?: string }): (() => RetrievalSet)[] {
  const folder = dataFolder(options.data)
  const only = options.set.split(',').filter((name) => name !== '')
  if (only.length === 0) {
    return [...findSets(folder).map((files) => () => readRetrievalSet(files)), readRequests]
  }
  return only.map((name) =>
    name === REQUESTS ? readRequests : () => readRetrievalSet(setFiles(folder, name)),
  )
}

function readCount(text: string, option: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InputError(`${option} ${text}: use a whole number above 0.`)
}

async function versionOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(`SELECT current_setting('server_version') AS version`)
  await client.end()
  return String(rows[0].version).split(' ')[0]!
}

await runCommand(main)
