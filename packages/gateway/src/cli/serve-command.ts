import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { watchConfig } from '../config/watch-config.ts'
import { answerPost } from '../downstream/answer-post.ts'
import { gatheredInstructions } from '../downstream/gathered-instructions.ts'
import { listedSchema } from '../downstream/listed-schema.ts'
import { type GatewayServerFactory, mcpServer } from '../downstream/mcp-server.ts'
import { createStdioDownstream } from '../downstream/stdio-downstream.ts'
import { watchNews } from '../downstream/watch-news.ts'
import { costReport } from '../reports/cost-report.ts'
import { clientSnippet } from './client-snippet.ts'
import { type Command, type CommandCall, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { openGateway } from './open-gateway.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

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
    const { values, words, terminal, env } = call
    const port = readPort((values.http ? undefined : words[0]) ?? values.port)
    const open = await openGateway(call, 'model')
    const { gateway, fleet, servers } = open
    const settings = (config: GatewayConfig) =>
      values['pin-definitions'] ? { ...config, pinDefinitions: true } : config
    let config = settings(open.config)
    if (config !== open.config) gateway.configure(config)
    const hasToken = env.TOOLSEARCH_TOKEN !== undefined
    // loaded only where it is needed, for a quicker start without it
    const inspector =
      values.http || values.inspect
        ? (await import('./open-inspector.ts')).openInspector(open, {
            config: () => config,
            transport: values.http ? 'http' : 'stdio',
            hasToken,
          })
        : undefined
    const made = mcpServer(inspector?.gateway ?? gateway, servers, {
      version,
      instructions: () => gatheredInstructions(fleet.upstreams.values()),
    })
    const factory = inspector?.watch(made) ?? made
    const watch = watchConfig(
      open.file,
      (change) => {
        if (change.kind === 'changed') {
          config = settings(change.config)
          gateway.configure(config)
          void fleet.apply(change.config.servers)
        } else terminal.say('The configuration was edited but cannot be used; the old one stays.')
      },
      { config: open.config, env },
    )
    const service = values.http
      ? await (await import('../http/serve-http.ts')).serveHttp(factory, {
          ...(typeof values.host === 'string' && { host: values.host }),
          port,
          token: env.TOOLSEARCH_TOKEN,
          answerPost: answerPost(factory),
          schemaOf: listedSchema(gateway),
          pages: inspector?.handle,
        })
      : undefined
    const pipe = service ? undefined : servePipe(factory)
    if (service) {
      gateway.onListChanged(() => service.notify.toolsChanged())
      watchNews(servers, (news) => {
        if (news.kind === 'resources') service.notify.resourcesChanged()
        if (news.kind === 'prompts') service.notify.promptsChanged()
        if (news.kind === 'updated') service.notify.resourceUpdated(String(news.params.uri))
      })
      terminal.say(`Serving ${fleet.upstreams.size} servers at ${service.url}`)
      terminal.say(`Look inside at ${new URL('/', service.url)}`)
      const snippet = clientSnippet({ configFile: open.file, url: service.url, hasToken })
      terminal.say(`Put this into your client:\n${snippet}`)
    }
    const ended = new Promise<void>((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
      if (!service) process.stdin.once('close', resolve).once('end', resolve)
    })
    const beside =
      inspector && !service ? await serveBeside(inspector.handle, port, call) : undefined
    await ended
    if (service) {
      const saved = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
      terminal.say(`Saved ${saved.savedPerTurn} tokens in every request.`)
    }
    watch.close()
    inspector?.close()
    await Promise.all([service?.close(), beside?.close(), pipe?.close(), open.close()])
    return OK
  },
}

/** Serves the inspector beside stdio. That it cannot is no reason not to serve the client. */
async function serveBeside(
  handle: (request: Request) => Promise<Response | undefined>,
  port: number,
  { terminal, env }: CommandCall,
): Promise<{ close(): Promise<void> } | undefined> {
  const { guardedServer } = await import('../http/guarded-server.ts')
  try {
    const token = env.TOOLSEARCH_TOKEN
    const server = await guardedServer(new Map(), { port, token, pages: handle })
    terminal.say(`Look inside at ${server.origin}/`)
    return server
  } catch (error) {
    terminal.say(`The inspector cannot be served: ${(error as Error).message}`)
    return undefined
  }
}

function servePipe(servers: GatewayServerFactory): StdioServerHandle {
  const { factory, transport } = createStdioDownstream(servers)
  return serveStdio(factory, { transport })
}

function readPort(given: unknown): number {
  const port = Number(given ?? 0)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`--port is "${given}"; give a number from 0 to 65535.`)
}
