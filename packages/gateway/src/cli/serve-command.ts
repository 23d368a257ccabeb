import type { GatewayInternals } from '../open-gateway.ts'
import { type GatewayServerFactory, mcpServer } from '../serving/mcp-server.ts'
import { version } from '../system/version.ts'
import { type Command, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { followConfig } from './follow-config.ts'
import { openForCommand } from './open-for-command.ts'
import type { OpenInspector } from './open-inspector.ts'
import { servePipe } from './serve-pipe.ts'
import type { Served } from './served.ts'
import { shutdownSignal } from './shutdown-signal.ts'
import { UsageError } from './usage-error.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'serves all your servers as one, over stdio or HTTP',
  usage: '[--http | --inspect [PORT]] [options]',
  options: {
    config: commonOptions.config,
    http: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string', short: 'p' },
    inspect: { type: 'boolean' },
    'pin-definitions': { type: 'boolean' },
  },
  help: [
    commonHelp[0]!,
    '--http             serve over the network instead of stdio',
    '--host ADDRESS     where to listen; 127.0.0.1 if left out, others need TOOLSEARCH_TOKEN',
    '-p, --port N       a free one if left out',
    '--inspect [PORT]   with stdio: serve the inspector on this machine; with --http it is there',
    '--pin-definitions  hide and refuse a tool that has changed until toolsearch accept is run',
  ],
  examples: [
    'toolsearch serve',
    'toolsearch serve --inspect 7778',
    'toolsearch serve --http --port 7777',
  ],
  async run(call) {
    const { values, words } = call
    const isHttp = values.http === true
    const port = readPort((isHttp ? undefined : words[0]) ?? values.port)
    const parts = await load({ isHttp, isInspected: isHttp || values.inspect === true })
    // first: servers are started from here on
    const ended = shutdownSignal({ hasPipe: !isHttp })
    const gateway = await openForCommand(call, 'model')
    const open = gateway.internals
    const config = followConfig(open, call)
    const inspector = parts.openInspector?.(open, {
      config: () => config.current,
      transport: isHttp ? 'http' : 'stdio',
      hasToken: call.env.TOOLSEARCH_TOKEN !== undefined,
    })
    let served: Served | undefined
    try {
      const factory = serversOf(open, inspector)
      const toServe = { open, factory, inspector, port, call }
      served = await (parts.serveNetwork ?? servePipe)(toServe)
      await ended
    } finally {
      config.close()
      inspector?.close()
      await Promise.all([served?.close(), gateway.close()])
    }
    return OK
  },
}

/**
 * What only some need, for a quicker start of the others. Before any server is started: an import
 * would have to wait each time some of thousands of tools are indexed.
 */
async function load({ isHttp, isInspected }: { isHttp: boolean; isInspected: boolean }): Promise<{
  readonly openInspector?: typeof import('./open-inspector.ts').openInspector
  readonly serveNetwork?: typeof import('./serve-network.ts').serveNetwork
}> {
  return {
    ...(isInspected && { openInspector: (await import('./open-inspector.ts')).openInspector }),
    ...(isHttp && { serveNetwork: (await import('./serve-network.ts')).serveNetwork }),
  }
}

function serversOf(
  { gateway, servers }: GatewayInternals,
  inspector: OpenInspector | undefined,
): GatewayServerFactory {
  const made = mcpServer(inspector?.gateway ?? gateway, servers, { version })
  return inspector?.watch(made) ?? made
}

function readPort(given: unknown): number {
  const port = Number(given ?? 0)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`--port is "${given}"; give a number from 0 to 65535.`)
}
