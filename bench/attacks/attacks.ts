import { parseArgs } from 'node:util'
import { dataFolder, progress, runCommand, writeResult } from '../bench-command.ts'
import { setFiles } from '../data/read-sets.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import { InputError } from '../input-error.ts'
import { thisMachine } from '../machine.ts'
import { chooseContenders, installPeersOf, versionsOf } from '../retrieval/contenders.ts'
import { REQUESTS, readRequests, readRetrievalSet } from '../retrieval/retrieval-set.ts'
import type { AttackReport, AttackRow } from './attack-report.ts'
import { ATTACKS } from './hostile-tools.ts'
import { measureContender, scenariosFor } from './measure-attacks.ts'
import { printAttackReport } from './print-attack-report.ts'
import { publishedAttack } from './published-attack.ts'

const SETS = [REQUESTS, 'mcpverse', 'metatool', 'azure-mcp']
const SEARCHES = [
  'unified',
  'unified-hybrid',
  'bm25',
  'ratel',
  'mastra',
  'ai-sdk',
  'minisearch',
  'orama',
]
const COUNTS = [1, 5, 20]
/** How many requests of another set the author of a hostile server knows. */
const KNOWN_REQUESTS = 400

const HELP = `Measure how often a server finds its way into search results by what it writes about its tools.

  npm run bench -- attacks [--data DIR] [--set NAMES] [--only NAMES] [--queries N] [--json] [--write]

  --data DIR    folder with the public data sets (default: ../shared/data, relative to the repository)
  --set NAMES   sets to attack (default: ${SETS.join(',')})
  --only NAMES  searches to measure (default: ${SEARCHES.join(',')})
  --queries N   requests for each attack (default: 40)
  --json        print JSON instead of tables
  --write       save the report in bench/results/attacks.md
  --help        print this text

Attacks: ${ATTACKS.map(({ name }) => name).join(', ')}, and those of MSB if the data folder has them.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', default: SETS.join(',') },
      only: { type: 'string', default: SEARCHES.join(',') },
      queries: { type: 'string', default: '40' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const queries = Number(options.queries)
  if (!Number.isInteger(queries) || queries < 1) {
    throw new InputError(`--queries must be a whole number from 1 on, not "${options.queries}".`)
  }
  const folder = dataFolder(options.data)
  const contenders = chooseContenders(options.only.split(','))
  installPeersOf(contenders, progress)
  const published = publishedAttack(folder)
  const attacks = published ? [...ATTACKS, published] : ATTACKS
  const read = (name: string) =>
    name === REQUESTS ? readRequests() : readRetrievalSet(setFiles(folder, name))

  const sets = options.set.split(',').map(read)
  const rows: AttackRow[] = []
  for (const set of sets) {
    const other = read(set.name === 'metatool' ? 'toollinkos' : 'metatool')
    const elsewhere = pickEvenly(other.queries, KNOWN_REQUESTS).map(({ query }) => query)
    const scenarios = scenariosFor(set, elsewhere, { attacks, counts: COUNTS, queries })
    for (const contender of contenders) {
      progress(`${set.name}: ${contender.name}`)
      const measured = await measureContender(contender, set, scenarios)
      if (!('failure' in measured)) rows.push(...measured)
      else if (contender.side === 'ours') throw new InputError(measured.failure)
      else progress(`${set.name}: ${contender.name} ${measured.failure}`)
    }
  }
  const report: AttackReport = {
    date: new Date().toISOString(),
    machine: thisMachine(),
    versions: versionsOf(contenders),
    sets: sets.map(({ name, tools }) => ({ name, tools: tools.length })),
    counts: COUNTS,
    rows,
  }
  if (options.write) writeResult('attacks.md', printAttackReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printAttackReport(report))
}

await runCommand(main)
