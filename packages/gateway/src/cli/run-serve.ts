import { readFile } from 'node:fs/promises'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { createSecretMask } from '../config/secret-mask.ts'
import { configSecretValues } from '../config/secret-values.ts'
import { LOCAL_CALLER } from '../identity/caller.ts'
import type { Inspection } from '../inspection/create-inspection.ts'
import type { GatewayInternals } from '../open-internals.ts'
import type { Operations } from '../open-operations.ts'
import { usableToken } from '../serving/http/usable-token.ts'
import { joinGates } from '../serving/join-gates.ts'
import {
  type GatewayServerFactory,
  type McpServerOptions,
  mcpServer,
} from '../serving/mcp-server.ts'
import type { RequestGate } from '../serving/request-gate.ts'
import { runningFolder } from '../system/data-folders.ts'
import { registerGateway } from '../system/running-gateways.ts'
import { version } from '../system/version.ts'
import { logGate, type StructuredLog } from '../telemetry/structured-log.ts'
import { announceWaiting } from './announce-waiting.ts'
import { type CommandCall, FAILED, OK, WRONG_USAGE } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfig, findConfigFile } from './find-config.ts'
import { followConfig } from './follow-config.ts'
import { openForCommand } from './open-for-command.ts'
import { type OpenRecording, openRecording } from './open-recording.ts'
import { openWhenStored } from './open-when-stored.ts'
import { escapeInvisible, plain } from './plain.ts'
import { readCount } from './read-count.ts'
import { reportServers } from './report-servers.ts'
import { reportSetupProblems } from './report-setup-problems.ts'
import type { RunningServer } from './serve-context.ts'

export const DRAIN_SECONDS = 25

interface RunServeOptions {
  /** What to print instead of an entry for a client's configuration. */
  readonly clientNote?: string
}

/** Serves until a signal arrives or the client disconnects. */
export async function runServe(given: CommandCall, options: RunServeOptions = {}): Promise<number> {
  const log = await openLog(given)
  try {
    return await serve(given, log, options)
  } catch (error) {
    if (!log) throw error
    const { message, stack } = error as Error
    const isMistake = error instanceof UsageError
    log.error(message, isMistake ? {} : { stack })
    return isMistake ? WRONG_USAGE : FAILED
  }
}

async function serve(
  given: CommandCall,
  log: StructuredLog | undefined,
  { clientNote }: RunServeOptions,
): Promise<number> {
  const { values, args, env } = given
  const terminal = log
    ? {
        ...given.terminal,
        say: (text: string) => log.info(text),
        warn: (text: string) => log.warn(text),
        fail: (text: string) => log.error(text),
      }
    : given.terminal
  const call = { ...given, terminal }
  const isHttp = values.http === true
  const port = readPort((isHttp ? undefined : args[0]) ?? values.port)
  const drainMs =
    1_000 * readCount(values.drain, { option: '--drain', fallback: DRAIN_SECONDS, min: 0 })
  // Modules that only some modes need are loaded before any server starts: later, an import would
  // wait while thousands of tools are indexed.
  const serveOver = isHttp
    ? (await import('./serve-network.ts')).serveNetwork
    : (await import('./serve-pipe.ts')).servePipe
  const openInspector =
    isHttp || values.inspect === true
      ? (await import('./open-inspector.ts')).openInspector
      : undefined
  // Listen before any server starts: a signal must not leave processes behind.
  const ended = shutdownSignal(call, { hasPipe: !isHttp })
  const openGateway = () => openForCommand(call, { audience: 'model', hasPeople: isHttp })
  const gateway = isHttp
    ? await openWhenStored(openGateway, {
        host: typeof values.host === 'string' ? values.host : undefined,
        port,
        ended,
        say: terminal.say,
      })
    : await openGateway()
  if (!gateway) return OK
  const open = gateway.internals
  let inspector: Inspection | undefined
  const config = followConfig(open, call, () => inspector?.isEditing ?? false)
  if (open.config.identity || open.config.access) void reportTeam(open, terminal, isHttp)
  const stopReports = [
    reportSetupProblems(open, terminal),
    reportServers(open, terminal),
    announceWaiting(open, terminal),
  ]
  const options = {
    config: () => config.current,
    transport: isHttp ? ('http' as const) : ('stdio' as const),
    hasToken: usableToken(env.TOOLSEARCH_TOKEN) !== undefined,
    env,
  }
  const operations = await open.operations().catch(async (error: Error) => {
    await gateway.close()
    throw new UsageError(error.message)
  })
  const { audit, actions } = operations ?? {}
  const gate = gateOf(operations, log)
  const isRecorded = openInspector !== undefined || config.current.history === 'on'
  const recording = isRecorded ? openRecording(open, options) : undefined
  inspector = recording && openInspector?.(open, recording, { ...options, audit, actions, gate })
  let served: RunningServer | undefined
  let unregister: (() => void) | undefined
  try {
    const profile = readProfile(open.gateway, values.profile, isHttp)
    observe(operations, open, recording)
    const factory = serverFactory(open, recording, { profile, gate })
    const hadClient = () => (recording?.activity.report().sessions.length ?? 0) > 0
    served = await serveOver({
      open,
      factory,
      inspector,
      log,
      port,
      call,
      clientNote,
      hadClient,
      async register(origin) {
        unregister = await register(origin, open.file, call)
      },
    })
    await ended
    await served.drain?.({ timeoutMs: drainMs, signal: nextSignal(call) })
  } finally {
    unregister?.()
    for (const stop of stopReports) stop()
    config.close()
    inspector?.close()
    // What the last requests did is recorded before the records are closed.
    await served?.close()
    await Promise.all([recording?.close(), gateway.close()])
  }
  return OK
}

/** Warns about settings for a team that cannot work as they are. Never rejects. */
async function reportTeam(
  { file, config }: GatewayInternals,
  { say }: Pick<CommandCall['terminal'], 'say'>,
  isHttp: boolean,
): Promise<void> {
  const { checkIdentity, stdioNote } = await import('./check-team.ts')
  const note = stdioNote(config)
  if (!isHttp && note !== undefined) say(plain(`Warning: ${note}`))
  const problems = isHttp ? await checkIdentity(file, config) : []
  for (const { message } of problems) say(plain(`Warning: ${message}`))
}

/** Lets commands such as `toolsearch live` find this gateway. */
async function register(
  origin: string,
  configFile: string,
  { env }: CommandCall,
): Promise<() => void> {
  return registerGateway(runningFolder(env), {
    pid: process.pid,
    url: origin,
    configFile,
    startedAt: new Date().toISOString(),
    version,
  })
}

/** The structured log, if the configuration asks for one. Mistakes in it are reported later. */
async function openLog(call: CommandCall): Promise<StructuredLog | undefined> {
  const config = await loggingConfig(call).catch(() => undefined)
  if (config?.telemetry?.logs !== 'json') return undefined
  const { openStructuredLog } = await import('../telemetry/structured-log.ts')
  const { TOOLSEARCH_TOKEN: token } = call.env
  const mask = createSecretMask([...configSecretValues(config), ...(token ? [token] : [])]).text
  return openStructuredLog({ version, mask, escapeLine: escapeInvisible })
}

/** The configuration, if it can contain a setting for logs: most do not, and need not be read twice. */
async function loggingConfig(call: CommandCall): Promise<GatewayConfig | undefined> {
  const text = await readFile(findConfigFile(call), 'utf8')
  return text.includes('"logs"') ? (await findConfig(call)).config : undefined
}

function gateOf(
  operations: Operations | undefined,
  log: StructuredLog | undefined,
): RequestGate | undefined {
  const gates = [...(log ? [logGate(log)] : []), ...(operations ? [operations.gate] : [])]
  return gates.length === 0 ? undefined : joinGates(gates)
}

/** Reports sessions, servers, stores and the audit log as metrics. */
function observe(
  operations: Operations | undefined,
  { servers, state, records }: GatewayInternals,
  recording: OpenRecording | undefined,
): void {
  const { postgres } = records
  const audit = operations?.audit
  const sessions = () =>
    recording?.activity.report().sessions.filter(({ isOpen }) => isOpen).length ?? 0
  operations?.telemetry?.observe({
    ...(recording && { sessions }),
    servers: () => [...servers.upstreams.values()].map(({ status }) => status.state),
    stores: {
      ...(state.isShared && { redis: state.isAvailable }),
      ...(postgres && { postgres: postgres.database.isAvailable }),
    },
    ...(audit && { audit: () => audit.counts }),
  })
}

function serverFactory(
  { gateway, servers, replicas }: GatewayInternals,
  recording: OpenRecording | undefined,
  options: Pick<McpServerOptions, 'profile' | 'gate'>,
): GatewayServerFactory {
  const factory = mcpServer(recording?.gateway ?? gateway, servers, {
    version,
    replicas,
    ...options,
  })
  return recording?.watch(factory) ?? factory
}

/** @throws UsageError if there is no such profile */
function readProfile(
  { admits, config }: GatewayInternals['gateway'],
  profile: unknown,
  isHttp: boolean,
): string | undefined {
  if (typeof profile !== 'string') return undefined
  if (isHttp) {
    throw new UsageError(`--profile is for stdio. Over HTTP, the profile is at /mcp/p/${profile}.`)
  }
  if (admits({ ...LOCAL_CALLER, profile })) return profile
  const names = Object.keys(config.profiles)
  const hint = names.length === 0 ? 'There are no profiles.' : `Profiles: ${names.join(', ')}.`
  throw new UsageError(`There is no profile "${profile}" in the configuration. ${hint}`)
}

function readPort(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`Invalid port "${value}": use a number from 0 to 65535.`)
}

/** Aborted by the next signal, of a person or a supervisor who does not want to wait. */
function nextSignal({ signals }: Pick<CommandCall, 'signals'>): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    signals.once(name, () => controller.abort())
  }
  return controller.signal
}

/**
 * Resolves on SIGINT, SIGTERM or SIGHUP, or when the client closes the pipe. Handling the signals keeps them
 * from ending the process before the servers it started have ended.
 */
function shutdownSignal(
  { signals, stdio }: Pick<CommandCall, 'signals' | 'stdio'>,
  { hasPipe }: { hasPipe: boolean },
): Promise<void> {
  return new Promise((resolve) => {
    signals.once('SIGINT', resolve)
    signals.once('SIGTERM', resolve)
    // the terminal was closed
    signals.once('SIGHUP', resolve)
    if (!hasPipe) return
    stdio.input.once('close', resolve).once('end', resolve)
    // The client has ended, and the transport no longer reads what would be the end of stdin.
    stdio.output.once('error', resolve).once('close', resolve)
  })
}
