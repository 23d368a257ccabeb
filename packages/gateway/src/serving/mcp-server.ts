import { type McpRequestContext, type McpServerFactory, Server } from '@modelcontextprotocol/server'
import type { Gateway } from '../offering/gateway.ts'
import { createLogLevels } from '../offering/log-levels.ts'
import { mayOffer } from '../offering/may-offer.ts'
import { createPrompts } from '../offering/prompts.ts'
import { createResources } from '../offering/resources.ts'
import { createSubscriptions } from '../offering/subscriptions.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import { clientOf, connectionId } from './client-of.ts'
import { createConnectionList } from './connection-list.ts'
import { createParkedCalls } from './parked-calls.ts'
import { serveCompletion } from './serve-completion.ts'
import { servePrompts } from './serve-prompts.ts'
import { serveResources } from './serve-resources.ts'
import { serveTools } from './serve-tools.ts'
import { serverInfo } from './server-info.ts'
import { type ConnectionCalls, createConnectionCalls } from './shortcut/connection-calls.ts'
import { tellNews } from './tell-news.ts'

export interface McpServerOptions {
  readonly version: string
  /** What the gateway and its servers say of themselves, asked for with each connection. */
  readonly instructions: () => string
}

/** Makes servers for the SDK, and lets calls be answered without it. */
export interface GatewayServerFactory extends McpServerFactory {
  (context: McpRequestContext): Server
  /** The calls of a connection whose server was made here. */
  callsOf(server: Server): ConnectionCalls
  /** The calls of a request of the newer era that is on no connection, and a server to go on with it. */
  single(): { readonly calls: ConnectionCalls; readonly factory: McpServerFactory }
}

const LISTED = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Makes the MCP server of one connection, or of one request where the protocol has no connections. */
export function mcpServer(
  gateway: Gateway,
  servers: UpstreamSet,
  { version, instructions }: McpServerOptions,
): GatewayServerFactory {
  const info = serverInfo(version)
  const parked = createParkedCalls()
  const prompts = createPrompts(servers, gateway.nameOf)
  const resources = createResources(servers)
  const subscriptions = createSubscriptions(resources, servers)
  const logLevels = createLogLevels(servers)
  const open = new Set<Server>()
  const callsByServer = new WeakMap<Server, ConnectionCalls>()

  function create({ era, requestInfo }: McpRequestContext, begun?: ConnectionCalls): Server {
    const has = (capability: string) => mayOffer(servers.upstreams.values(), capability)
    const [hasResources, hasPrompts] = [has('resources'), has('prompts')]
    const [hasCompletions, hasLogging] = [has('completions'), has('logging')]
    const server = new Server(info, {
      capabilities: {
        tools: { listChanged: true },
        ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
        ...(hasPrompts && { prompts: { listChanged: true } }),
        ...(hasCompletions && { completions: {} }),
        ...(hasLogging && { logging: {} }),
      },
      instructions: instructions(),
      cacheHints: { 'tools/list': LISTED },
      debouncedNotificationMethods: [
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
        'notifications/prompts/list_changed',
      ],
    })
    const tellTools = () => void server.sendToolListChanged().catch(() => {})
    const list = createConnectionList(gateway, era, tellTools)
    const calls =
      begun ??
      createConnectionCalls(gateway, {
        era,
        party: server,
        serverInfo: info,
        // the newer era tells with every request who makes it
        client: (told = server.getClientVersion()) =>
          clientOf(told, requestInfo ? undefined : connectionId(server.transport?.sessionId)),
        onFound: list.join,
        onResult: resources.learn,
      })
    callsByServer.set(server, calls)
    serveTools(server, { era, parked, list, calls })
    const stops = [gateway.onListChanged(tellTools), calls.close]
    if (hasResources) {
      stops.push(serveResources(server, resources, { era, parked, subscriptions }))
    }
    if (hasPrompts) servePrompts(server, prompts, { era, parked, onResult: resources.learn })
    if (hasCompletions) serveCompletion(server, prompts, resources)
    if (hasLogging && era === 'legacy') {
      server.setRequestHandler('logging/setLevel', ({ params }) => {
        logLevels.set(server, params.level)
        return {}
      })
      stops.push(() => logLevels.forget(server))
    }
    // one that is there for a single request has nothing else to tell
    if (requestInfo === undefined) {
      open.add(server)
      stops.push(
        tellNews(server, servers, {
          era,
          isWatching: (uri) => subscriptions.has(server, uri),
          isAlone: () => open.size === 1,
        }),
      )
    }
    server.onclose = () => {
      open.delete(server)
      for (const stop of stops) stop()
    }
    return server
  }

  return Object.assign((context: McpRequestContext) => create(context), {
    callsOf: (server: Server) => callsByServer.get(server)!,
    single() {
      const calls = createConnectionCalls(gateway, {
        era: 'modern',
        party: {},
        serverInfo: info,
        client: clientOf,
        onResult: resources.learn,
      })
      return { calls, factory: (context: McpRequestContext) => create(context, calls) }
    },
  })
}
