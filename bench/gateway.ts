import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, progress, runCommand, writeResults } from './bench-command.ts'
import type { GatewayReport } from './gateway/gateway-report.ts'
import type { CallEffort } from './gateway/measure-calls.ts'
import { measureManyServers } from './gateway/measure-many-servers.ts'
import { measureOneServer } from './gateway/measure-one-server.ts'
import { measureSilentServer } from './gateway/measure-silent-server.ts'
import { printGatewayReport } from './gateway/print-gateway-report.ts'
import { InputError } from './input-error.ts'
import { installPeers, pinnedVersions } from './install-peers.ts'
import { isBusy, thisMachine } from './machine.ts'

const PEERS = resolve(BENCH, 'gateway/peers')

const HELP = `Measure what a call through the gateway costs, compared with a bare relay and other gateways.

  npm run bench -- gateway [--quick] [--json] [--write]

  --quick  fewer calls and shorter timeouts: two minutes instead of seven
  --json   print JSON instead of tables ("npm run --silent bench -- gateway" hides npm's own output)
  --write  save the report in bench/results/gateway.json and gateway.md
  --help   print this text

Run "npm run build" first: this measures the built gateway. Installs the other gateways in
bench/gateway/peers on first use. All traffic stays on this machine.`

const FULL: CallEffort = { starts: 3, rounds: 9, calls: 2_000, parallelCalls: 3_000 }
const QUICK: CallEffort = { starts: 1, rounds: 3, calls: 200, parallelCalls: 400 }
const FULL_TIMEOUT_MS = 75_000
const QUICK_TIMEOUT_MS = 8_000

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
  // mcp-broker compiles better-sqlite3.
  installPeers({ folder: PEERS, size: '80 MB', build: ['better-sqlite3'], report: progress })
  const report = await measure(options.quick)
  if (options.write) writeResults('gateway', report, printGatewayReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printGatewayReport(report))
}

async function measure(quick: boolean): Promise<GatewayReport> {
  const machine = thisMachine()
  if (isBusy(machine))
    progress(`the machine is busy (load ${machine.loadBefore}): times will be too long`)
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-gateways-'))
  const limitMs = quick ? QUICK_TIMEOUT_MS : FULL_TIMEOUT_MS
  try {
    const oneServer = await measureOneServer(folder, quick ? QUICK : FULL, progress)
    const manyServers = await measureManyServers(folder, progress)
    progress('a server that never responds')
    const rows = await measureSilentServer(folder, limitMs)
    return {
      date: new Date().toISOString(),
      machine,
      versions: pinnedVersions(PEERS),
      quick,
      oneServer,
      manyServers,
      silentServer: { limitMs, rows },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runCommand(main)
