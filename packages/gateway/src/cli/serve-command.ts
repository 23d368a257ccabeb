import type { GatewayInternals } from '../open-gateway.ts'
import { usableToken } from '../serving/http/usable-token.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import { runningFolder } from '../system/data-folders.ts'
import { registerGateway } from '../system/running-gateways.ts'
import { version } from '../system/version.ts'
import { type Command, type CommandCall, commonHelp, commonOptions, OK } from './command.ts'
import { logServerStates } from './log-server-states.ts'
import type { OpenRecording } from './open-recording.ts'
import { reportSetupProblems } from './report-setup-problems.ts'
import type { RunningServer, ServeContext } from './serve-context.ts'
import { UsageError } from './usage-error.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve all your servers as one MCP server, over stdio or HTTP',
  usage: '[--http | --inspect [PORT]] [options]',
  options: {
    config: commonOptions.config,
    http: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string', short: 'p' },
    inspect: { type: 'boolean' },
    approve: { type: 'string' },
  },
  help: [
    commonHelp[0]!,
    '--http             serve over HTTP instead of stdio, including the inspector',
    '--host ADDRESS     with --http: address to listen on (default: 127.0.0.1);',
    '                   any address other than loopback requires TOOLSEARCH_TOKEN',
    '-p, --port N       port to listen on (default: 7777 or the next free port; with --inspect,',
    '                   any free port)',
    '--inspect [PORT]   serve over stdio, and the inspector over HTTP',
    '--approve changed|new  withhold tools that changed, or also new ones, until you run',
    '                   toolsearch accept',
  ],
  examples: ['toolsearch serve', 'toolsearch serve --http', 'toolsearch serve --inspect 7778'],
  async run(call) {
    const { values, args } = call
    const isHttp = values.http === true
    const port = readPort((isHttp ? undefined : args[0]) ?? values.port)
    const modules = await loadModules({ isHttp, isInspected: isHttp || values.inspect === true })
    // Listen before any server starts: a signal must not leave processes behind.
    const ended = shutdownSignal({ hasPipe: !isHttp })
    const gateway = await modules.openForCommand(call, 'model')
    const open = gateway.internals
    const config = modules.followConfig(open, call)
    const stopReporting = reportSetupProblems(open, call.terminal)
    // Over HTTP, `serveNetwork` reports failed servers.
    const stopLog = isHttp ? () => {} : logServerStates(open.servers, call.terminal.say)
    const options = {
      config: () => config.current,
      transport: isHttp ? ('http' as const) : ('stdio' as const),
      hasToken: usableToken(call.env.TOOLSEARCH_TOKEN) !== undefined,
      env: call.env,
    }
    const isRecorded = modules.openInspector !== undefined || config.current.history === 'on'
    const recording = isRecorded ? modules.openRecording(open, options) : undefined
    const inspector = recording && modules.openInspector?.(open, recording, options)
    let served: RunningServer | undefined
    let unregister: (() => void) | undefined
    try {
      const factory = serverFactory(modules.mcpServer, open, recording)
      const context = { open, factory, inspector, port, call }
      served = await modules.serveOver(context)
      unregister = await register(served, open.file, call)
      await ended
    } finally {
      unregister?.()
      stopReporting()
      stopLog()
      config.close()
      inspector?.close()
      await Promise.all([served?.close(), recording?.close(), gateway.close()])
    }
    return OK
  },
}

/**
 * Imports what only some modes need, so that the others start faster. Runs before any server starts:
 * later, an import would wait while thousands of tools are indexed.
 */
async function loadModules({
  isHttp,
  isInspected,
}: {
  isHttp: boolean
  isInspected: boolean
}): Promise<{
  readonly openInspector?: typeof import('./open-inspector.ts').openInspector
  readonly openRecording: typeof import('./open-recording.ts').openRecording
  readonly openForCommand: typeof import('./open-for-command.ts').openForCommand
  readonly followConfig: typeof import('./follow-config.ts').followConfig
  readonly mcpServer: typeof import('../serving/mcp-server.ts').mcpServer
  readonly serveOver: (context: ServeContext) => Promise<RunningServer>
}> {
  return {
    ...(isInspected && { openInspector: (await import('./open-inspector.ts')).openInspector }),
    serveOver: isHttp
      ? (await import('./serve-network.ts')).serveNetwork
      : (await import('./serve-pipe.ts')).servePipe,
    openRecording: (await import('./open-recording.ts')).openRecording,
    openForCommand: (await import('./open-for-command.ts')).openForCommand,
    followConfig: (await import('./follow-config.ts')).followConfig,
    mcpServer: (await import('../serving/mcp-server.ts')).mcpServer,
  }
}

/** Lets commands such as `toolsearch live` find this gateway. */
async function register(
  { origin }: RunningServer,
  configFile: string,
  { env }: CommandCall,
): Promise<(() => void) | undefined> {
  if (origin === undefined) return undefined
  return registerGateway(runningFolder(env), {
    pid: process.pid,
    url: origin,
    configFile,
    startedAt: new Date().toISOString(),
    version,
  })
}

function serverFactory(
  mcpServer: typeof import('../serving/mcp-server.ts').mcpServer,
  { gateway, servers }: GatewayInternals,
  recording: OpenRecording | undefined,
): GatewayServerFactory {
  const factory = mcpServer(recording?.gateway ?? gateway, servers, { version })
  return recording?.watch(factory) ?? factory
}

function readPort(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`Invalid port "${value}": use a number from 0 to 65535.`)
}

/**
 * Resolves on SIGINT, SIGTERM or SIGHUP, or when the client closes the pipe. Handling the signals keeps them
 * from ending the process before the servers it started have ended.
 */
function shutdownSignal({ hasPipe }: { hasPipe: boolean }): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    // the terminal was closed
    process.once('SIGHUP', resolve)
    if (hasPipe) process.stdin.once('close', resolve).once('end', resolve)
  })
}
