import type { GatewayInternals } from '../open-gateway.ts'
import { type GatewayServerFactory, mcpServer } from '../serving/mcp-server.ts'
import { version } from '../system/version.ts'
import { announceWaiting } from './announce-waiting.ts'
import { type Command, commonHelp, commonOptions, OK } from './command.ts'
import { followConfig } from './follow-config.ts'
import { openForCommand } from './open-for-command.ts'
import type { OpenInspector } from './open-inspector.ts'
import type { RunningServer } from './serve-context.ts'
import { servePipe } from './serve-pipe.ts'
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
    '-p, --port N       port to listen on (default: any free port)',
    '--inspect [PORT]   serve over stdio, and the inspector over HTTP',
    '--approve changed|new  withhold tools that changed, or also new ones, until you run',
    '                   toolsearch accept',
  ],
  examples: [
    'toolsearch serve',
    'toolsearch serve --inspect 7778',
    'toolsearch serve --http --port 7777',
  ],
  async run(call) {
    const { values, args } = call
    const isHttp = values.http === true
    const port = readPort((isHttp ? undefined : args[0]) ?? values.port)
    const modules = await loadModules({ isHttp, isInspected: isHttp || values.inspect === true })
    // Listen before any server starts: a signal must not leave processes behind.
    const ended = shutdownSignal({ hasPipe: !isHttp })
    const gateway = await openForCommand(call, 'model')
    const open = gateway.internals
    const config = followConfig(open, call)
    const stopAnnouncing = announceWaiting(open, call.terminal)
    const inspector = modules.openInspector?.(open, {
      config: () => config.current,
      transport: isHttp ? 'http' : 'stdio',
      hasToken: call.env.TOOLSEARCH_TOKEN !== undefined,
    })
    let served: RunningServer | undefined
    try {
      const factory = serverFactory(open, inspector)
      const context = { open, factory, inspector, port, call }
      served = await (modules.serveNetwork ?? servePipe)(context)
      await ended
    } finally {
      config.close()
      stopAnnouncing()
      inspector?.close()
      await Promise.all([served?.close(), gateway.close()])
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
  readonly serveNetwork?: typeof import('./serve-network.ts').serveNetwork
}> {
  return {
    ...(isInspected && { openInspector: (await import('./open-inspector.ts')).openInspector }),
    ...(isHttp && { serveNetwork: (await import('./serve-network.ts')).serveNetwork }),
  }
}

function serverFactory(
  { gateway, servers }: GatewayInternals,
  inspector: OpenInspector | undefined,
): GatewayServerFactory {
  const factory = mcpServer(inspector?.gateway ?? gateway, servers, { version })
  return inspector?.watch(factory) ?? factory
}

function readPort(value: unknown): number {
  const port = Number(value ?? 0)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`Invalid port "${value}": use a number from 0 to 65535.`)
}

/**
 * Resolves on SIGINT or SIGTERM, or when the client closes the pipe. Handling the signals keeps them
 * from ending the process before the servers it started have ended.
 */
function shutdownSignal({ hasPipe }: { hasPipe: boolean }): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    if (hasPipe) process.stdin.once('close', resolve).once('end', resolve)
  })
}
