import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { findClients } from '../clients/find-client-configs.ts'
import { gatewayProgram } from '../clients/gateway-entry.ts'
import type { KnownClient } from '../clients/known-client.ts'
import type { ImportPlan } from '../clients/plan-import.ts'
import { planReplacement } from '../clients/plan-replacement.ts'
import { snippetForClient } from '../clients/snippet-for-client.ts'
import { formatProblem } from '../config/config-problem.ts'
import { readConfigFile } from '../config/load-config.ts'
import { serverEntries } from '../config/server-entries.ts'
import type { CostReport } from '../inspection/cost-report.ts'
import { ConfigError } from '../open-gateway.ts'
import { runningFolder } from '../system/data-folders.ts'
import { FileChangeError } from '../system/file-changes.ts'
import { typedCommand } from '../system/gateway-command.ts'
import { runningGateways } from '../system/running-gateways.ts'
import { type CommandCall, FAILED, OK, type Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { configFlag, defaultConfigFile } from './default-config-file.ts'
import { findConfigFile } from './find-config.ts'
import { count, formatNumber, paint } from './format.ts'
import { type MeasuredCost, measureCost } from './measure-cost.ts'
import { canOpenBrowser, openBrowser } from './open-browser.ts'
import { plain } from './plain.ts'
import {
  addsProjectServers,
  carryOutImport,
  NO_REPLACEMENT,
  type PreparedImport,
  placesLookedAt,
  prepareImport,
  showFiles,
  showServers,
  thisMachine,
} from './prepare-import.ts'
import { createPrompt, InterruptedError, isInteractive, type Prompt } from './prompt.ts'

const INTERRUPTED = 130

/** What the guide has done so far, to tell a person who stops it. */
interface Progress {
  written: readonly string[]
}

/** Guides a person through the first minute. Every step can be declined. */
export async function runSetup(call: CommandCall): Promise<number> {
  if (!isInteractive(call.stdio)) {
    throw new UsageError(
      'setup asks questions, so it needs a terminal. Without one, use toolsearch import --yes.',
    )
  }
  const { terminal } = call
  const progress: Progress = { written: [] }
  const prompt = createPrompt(call.stdio)
  try {
    const file = setupFile(call)
    const { isReady, usesGateway } = await setUp(call, file, prompt, progress)
    if (!isReady) return progress.written.length > 0 ? OK : FAILED
    const isStarting = await prompt.confirm('\nStart the gateway now, with its inspector?', true)
    if (!isStarting) {
      const flag = configFlag(file, call.env)
      terminal.say(`Start it later with: ${typedCommand()} serve --http${flag}`)
      return OK
    }
    const isOpening =
      canOpenBrowser(call.env) && (await prompt.confirm('Open the inspector in the browser?', true))
    // from here on, Ctrl-C stops the gateway
    prompt.close()
    return await startGateway(call, { file, isOpening, usesGateway })
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
    terminal.say(
      progress.written.length === 0
        ? '\nStopped. Nothing was written.'
        : `\nStopped. Written: ${progress.written.join(', ')}. Restore with: ${typedCommand()} undo`,
    )
    return INTERRUPTED
  } finally {
    prompt.close()
  }
}

interface SetUp {
  /** Whether there is a configuration to start the gateway with. */
  readonly isReady: boolean
  /** Whether a client starts the gateway itself. */
  readonly usesGateway: boolean
}

const NOT_READY: SetUp = { isReady: false, usesGateway: false }

/** The steps before the gateway starts. */
async function setUp(
  call: CommandCall,
  file: string,
  prompt: Prompt,
  progress: Progress,
): Promise<SetUp> {
  const { terminal } = call
  const bold = (text: string) => terminal.print(paint(terminal, 'bold', text))
  bold('toolsearch: one MCP server in front of all your MCP servers.')
  terminal.print('Nothing is written until you confirm it. Press Ctrl-C to stop at any time.\n')

  const machine = thisMachine(call)
  const clients = findClients(machine)
  const prepared = await prepareImport(file, machine)
  for (const problem of prepared.found.flatMap(({ problems }) => problems)) {
    terminal.say(formatProblem(problem))
  }
  showClients(call, clients, prepared)
  const names = configuredNames(prepared)
  showServers(prepared, terminal)
  if (names.length === 0) {
    if (prepared.plan.servers.length === 0) {
      terminal.print('No servers found. Looked at:')
      for (const place of placesLookedAt(machine)) terminal.print(`  ${place}`)
    }
    terminal.print(`\nAdd a server with: ${typedCommand()} add NAME -- COMMAND`)
    return NOT_READY
  }
  const listed = new Set(prepared.plan.servers.map(({ name }) => name))
  for (const name of names.filter((each) => !listed.has(each))) {
    terminal.print(plain(`= ${name}: already in the config file`))
  }
  // starting a server runs a command, which in a project's file may come from somebody else
  const isRisky = addsProjectServers(prepared)

  if (
    await prompt.confirm(
      `\nStart these servers once to measure what their tools cost?${isRisky ? ' Some belong to a project: start them only if you trust it.' : ''}`,
      !isRisky,
    )
  ) {
    await showCost(call, prepared, prompt)
  }
  const switched = await importServers(call, prepared, prompt, progress)
  const others = clients.filter((client) => !switched.has(client))
  if (
    existsSync(file) &&
    others.length > 0 &&
    (await prompt.confirm(
      `\nShow what to add to ${others.map(({ label }) => label).join(', ')}?`,
      true,
    ))
  ) {
    await showSnippets(call, others, file)
  }
  if (progress.written.length > 0) {
    terminal.print(`\nTo restore every file as it was: ${typedCommand()} undo`)
  }
  if (progress.written.includes(file) || names.length > prepared.added) {
    return { isReady: true, usesGateway: switched.size > 0 }
  }
  terminal.print('Nothing was written.\n\nNext:')
  const command = typedCommand()
  terminal.print(`  ${command} import   import the servers of your clients`)
  terminal.print(`  ${command} add NAME -- COMMAND   add a server yourself`)
  terminal.print(`  ${command} serve --http   start the gateway once it has servers`)
  return NOT_READY
}

/** The servers of the gateway after the import. */
function configuredNames({ plan, file }: PreparedImport): string[] {
  const entries = serverEntries(plan.text, file)
  return 'servers' in entries ? [...entries.servers.keys()] : []
}

function showClients(
  { terminal }: CommandCall,
  clients: readonly KnownClient[],
  { found, plan, file, isNew }: PreparedImport,
): void {
  if (clients.length === 0) terminal.print('No MCP clients found on this machine.')
  else terminal.print(`${count(clients.length, 'MCP client')} found:`)
  for (const client of clients) {
    const all = found.filter((each) => each.client === client).flatMap((each) => each.servers)
    const gateways = plan.servers.filter(
      ({ from, outcome }) => from.client === client && outcome === 'gateway',
    ).length
    const servers = all.length - gateways
    const parts = [
      ...(gateways > 0 ? ['already uses the gateway'] : []),
      ...(servers > 0 ? [count(servers, 'server')] : []),
    ]
    terminal.print(`  ${client.label}: ${parts.join(', ') || 'no servers'}`)
  }
  terminal.print(`Config file of the gateway: ${file}${isNew ? ' (does not exist yet)' : ''}\n`)
}

async function showCost(
  call: CommandCall,
  { plan }: PreparedImport,
  prompt: Prompt,
): Promise<void> {
  const { terminal } = call
  terminal.say('Connecting…')
  const controller = new AbortController()
  let measured: MeasuredCost
  try {
    measured = await prompt.during(measureCost(plan.text, call, controller.signal))
  } catch (error) {
    controller.abort()
    if (!(error instanceof ConfigError)) throw error
    terminal.say(`Could not measure:\n${error.message}`)
    return
  }
  const { report, notCounted } = measured
  if (report) showReport(report, plan, terminal)
  if (notCounted.length > 0) terminal.print('Not counted:')
  for (const { name, reason } of notCounted) terminal.print(plain(`  ${name}: ${reason}`))
  if (report?.advice !== undefined) terminal.print(report.advice)
}

function showReport(report: CostReport, plan: ImportPlan, terminal: Terminal): void {
  const tokensOf = new Map(report.servers.map(({ server, tokens }) => [server, tokens]))
  const byClient = new Map<string, Set<string>>()
  for (const { from, name } of plan.servers) {
    if (name === undefined) continue
    const names = byClient.get(from.client.label) ?? new Set()
    byClient.set(from.client.label, names.add(name))
  }
  const rows = [...byClient].flatMap(([label, names]): [string, number][] => {
    const known = [...names].flatMap((name) => tokensOf.get(name) ?? [])
    return known.length === 0 ? [] : [[`${label} today`, known.reduce((sum, each) => sum + each)]]
  })
  if (rows.length === 0) rows.push(['Without the gateway', report.eager])
  rows.push(['Through the gateway', report.listed])
  const width = Math.max(...rows.map(([label]) => label.length))
  terminal.print('\nTokens that the tools take in every request:')
  for (const [label, tokens] of rows) {
    terminal.print(`  ${label.padEnd(width)}  ${formatNumber(tokens).padStart(8)}`)
  }
}

/** Offers to write the import. Resolves to the clients that use the gateway now. */
async function importServers(
  { terminal, env }: CommandCall,
  prepared: PreparedImport,
  prompt: Prompt,
  progress: Progress,
): Promise<ReadonlySet<KnownClient>> {
  const { plan, added, file } = prepared
  const unchanged: ReadonlySet<KnownClient> = new Set(
    plan.servers.filter(({ outcome }) => outcome === 'gateway').map(({ from }) => from.client),
  )
  if (added > 0) {
    const question = `\nImport ${count(added, 'server')} into ${file}?`
    if (!(await prompt.confirm(question, true))) return unchanged
  }
  const planned = await planReplacement(plan, file)
  const clients = [
    ...new Set(
      plan.servers.flatMap(({ from }) =>
        planned.files.some((each) => each.file === from.file) ? [from.client] : [],
      ),
    ),
  ]
  const labels = clients.map(({ label }) => label).join(', ')
  const isReplacing =
    clients.length > 0 &&
    (await prompt.confirm(
      `Let ${labels} use the gateway instead of the servers? This edits the files of ${clients.length === 1 ? 'this client' : 'these clients'}.`,
    ))
  if (added === 0 && !isReplacing) return unchanged
  terminal.print('')
  showFiles(prepared, isReplacing ? planned : NO_REPLACEMENT, terminal)
  if (!(await prompt.confirm('Write?', true))) return unchanged
  try {
    progress.written = await carryOutImport(prepared, { isReplacing, env })
    for (const each of progress.written) terminal.print(`Wrote ${each}`)
  } catch (error) {
    if (!(error instanceof FileChangeError)) throw error
    terminal.say(`${error.message}\nNothing was changed.`)
    return unchanged
  }
  if (!isReplacing) return unchanged
  terminal.print(`Restart ${labels} to connect to the gateway.`)
  return new Set([...unchanged, ...clients])
}

async function showSnippets(
  call: CommandCall,
  clients: readonly KnownClient[],
  file: string,
): Promise<void> {
  const { terminal } = call
  const machine = thisMachine(call)
  for (const client of clients) {
    const places = client.files(machine)
    const target = (places.find((place) => existsSync(place.file)) ?? places[0])!.file
    const read = await readConfigFile(target)
    const text = 'text' in read ? read.text : ''
    terminal.print(`\n${paint(terminal, 'bold', client.label)} (${target}):`)
    terminal.print(snippetForClient(client, target, gatewayProgram(file), text) ?? '')
  }
  terminal.print(
    '\nEach client then starts a gateway of its own. To let them share one that you start',
  )
  terminal.print('yourself, give them the URL that it prints instead of a command.')
}

/** Serves until Ctrl-C, on port 7777 or the next free one. */
async function startGateway(
  call: CommandCall,
  { file, isOpening, usesGateway }: { file: string; isOpening: boolean; usesGateway: boolean },
): Promise<number> {
  const { runServe } = await import('./run-serve.ts')
  const serveCall = { ...call, args: [], values: { http: true, config: file } }
  const serving = runServe(serveCall, usesGateway ? { clientNote: ownGateways(call, file) } : {})
  let isServing = true
  const ended = serving.finally(() => {
    isServing = false
  })
  ended.catch(() => {})
  while (isOpening && isServing) {
    const running = await runningGateways(runningFolder(call.env))
    const own = running.find(({ pid }) => pid === process.pid)
    if (own) {
      openBrowser(new URL('/', own.url))
      break
    }
    await new Promise((done) => setTimeout(done, 50))
  }
  return ended
}

/** What to say instead of another entry for clients that have one already. */
function ownGateways({ env }: CommandCall, file: string): string {
  const flag = configFlag(file, env)
  return [
    'Clients that are set up start a gateway of their own over stdio, so they do not use this one.',
    `See what they did with: ${typedCommand()} history${flag}`,
    'The inspector shows clients that connect to the URL above.',
  ].join('\n')
}

/** The file in use, or the one to create. */
function setupFile(call: CommandCall): string {
  if (typeof call.values.config === 'string') return resolve(call.cwd, call.values.config)
  try {
    const file = findConfigFile(call)
    // a project's .mcp.json belongs to Claude Code, so the servers of other clients must not get there
    return file.endsWith('.mcp.json') ? defaultConfigFile(call.env) : file
  } catch (error) {
    if (error instanceof UsageError) return defaultConfigFile(call.env)
    throw error
  }
}
