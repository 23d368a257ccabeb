import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../testing/services/start-postgres.ts'
import { startRedis } from '../testing/services/start-redis.ts'
import { BENCH, progress, runCommand, writeResults } from './bench-command.ts'
import { InputError } from './input-error.ts'
import { isBusy, thisMachine } from './machine.ts'
import { measureOverhead } from './team/measure-overhead.ts'
import { measurePeople } from './team/measure-people.ts'
import { measureReplicas } from './team/measure-replicas.ts'
import { printTeamReport } from './team/print-team-report.ts'
import type { TeamReport } from './team/team-report.ts'
import { startTokenIssuer } from './team/token-issuer.ts'

const HELP = `Measure what identity, rules, limits, audit and replicas cost.

  npm run bench -- team [--quick] [--json] [--write]

  --quick  fewer calls, people and sessions: one minute instead of five
  --json   print JSON instead of tables ("npm run --silent bench -- team" hides npm's own output)
  --write  save the report in bench/results/team.json and team.md
  --help   print this text

Run "npm run build" first: this measures the built gateway. Starts Redis and PostgreSQL of its own, which
"node scripts/install-services.js" installs on Debian. All traffic stays on this machine.`

const FULL = { rounds: 7, calls: 1_000, people: 10_000, searches: 300, sessions: 1_000, each: 20 }
const QUICK = { rounds: 2, calls: 200, people: 500, searches: 60, sessions: 60, each: 5 }

/** Where the gateways of the benchmark pretend to be: the audience of all tokens. */
const PUBLIC_URL = 'https://tools.example.com'

/** The settings of a server that must not lose anything, unlike those of the tests. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  if (!existsSync(resolve(BENCH, '../packages/gateway/dist/command/main.js'))) {
    throw new InputError('The gateway is not built yet. Run "npm run build" first.')
  }
  const report = await measure(options.quick)
  if (options.write) writeResults('team', report, printTeamReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printTeamReport(report))
}

async function measure(quick: boolean): Promise<TeamReport> {
  const machine = thisMachine()
  if (isBusy(machine))
    progress(`the machine is busy (load ${machine.loadBefore}): times will be too long`)
  const { rounds, calls, people, searches, sessions, each } = quick ? QUICK : FULL
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-team-'))
  const postgres = await startPostgres({ settings: DURABLE })
  const redis = await startRedis()
  const issuer = await startTokenIssuer(PUBLIC_URL)
  const shared = async () => ({
    folder,
    issuer,
    url: PUBLIC_URL,
    redis: redis.url,
    postgres: await postgres.freshDatabase(),
    report: progress,
  })
  try {
    return {
      date: new Date().toISOString(),
      machine,
      quick,
      overhead: await measureOverhead({ ...(await shared()), rounds, calls }),
      people: await measurePeople({ ...(await shared()), people, rounds, searches }),
      replicas: await measureReplicas({ ...(await shared()), sessions, callsPerSession: each }),
    }
  } finally {
    await Promise.all([issuer.close(), redis.close(), postgres.close()])
    rmSync(folder, { recursive: true, force: true })
  }
}

await runCommand(main)
