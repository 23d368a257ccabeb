import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH, progress, runCommand, writeResults } from './bench-command.ts'
import type { GatewayReport } from './gateway/gateway-report.ts'
import { gatewayPeerVersions, installGatewayPeers } from './gateway/install-gateway-peers.ts'
import type { CallEffort } from './gateway/measure-calls.ts'
import { measureManyServers } from './gateway/measure-many-servers.ts'
import { measureOneServer } from './gateway/measure-one-server.ts'
import { measureSilentServer } from './gateway/measure-silent-server.ts'
import { printGatewayReport } from './gateway/print-gateway-report.ts'
import { isBusy, thisMachine } from './speed/machine.ts'

const HELP = `What a call through the gateway costs, beside a bare relay and published gateways.

  npm run bench:gateway [-- --quick] [--json] [--write]

  --quick  fewer calls and shorter waits: two minutes instead of seven
  --json   the figures only; "npm run --silent bench:gateway" keeps npm quiet too
  --write  also keeps them, in bench/results/gateway.json and gateway.md
  --help   this text

Our gateway runs as built ("npm run build" first). The peers are installed in bench/gateway/peers
when they are not there yet. Everything stays on this machine.`

const USUAL: CallEffort = { starts: 3, rounds: 9, calls: 2_000, parallelCalls: 3_000 }
const QUICK: CallEffort = { starts: 1, rounds: 3, calls: 200, parallelCalls: 400 }
const USUAL_PATIENCE_MS = 75_000
const QUICK_PATIENCE_MS = 8_000

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
  if (!existsSync(resolve(BENCH, '../packages/gateway/dist/cli/main.js'))) {
    throw Object.assign(new Error('The gateway is not built yet: npm run build.'), {
      code: 'missing_data',
    })
  }
  installGatewayPeers(progress)
  const report = await measure(options.quick)
  if (options.write) writeResults('gateway', report, printGatewayReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printGatewayReport(report))
}

async function measure(quick: boolean): Promise<GatewayReport> {
  const machine = thisMachine()
  if (isBusy(machine))
    progress(`the machine is busy (load ${machine.loadBefore}): times will be long`)
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-gateways-'))
  const limitMs = quick ? QUICK_PATIENCE_MS : USUAL_PATIENCE_MS
  try {
    const oneServer = await measureOneServer(folder, quick ? QUICK : USUAL, progress)
    const manyServers = await measureManyServers(folder, progress)
    progress('a server that never answers')
    const rows = await measureSilentServer(folder, limitMs)
    return {
      date: new Date().toISOString(),
      machine,
      versions: gatewayPeerVersions(),
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
