import {
  type McpRequestContext,
  type McpServerFactory,
  Server,
  UriTemplate,
} from '@modelcontextprotocol/server'
import type { Gateway } from '../offering/gateway.ts'
import { createLogLevels } from '../offering/log-levels.ts'
import { createPrompts } from '../offering/prompts.ts'
import { createResources } from '../offering/resources.ts'
import { createSubscriptions } from '../offering/subscriptions.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { clientOf, connectionId } from './caller.ts'
import { createConnectionList } from './connection-list.ts'
import { gatewayInstructions } from './instructions.ts'
import { isWaiting, listReady } from './list-ready.ts'
import { createParkedCalls } from './parked-calls.ts'
import { createRunCall } from './run-call.ts'
import { serveCompletion, servePrompts } from './serve-prompts.ts'
import { serveResources } from './serve-resources.ts'
import { serveTools } from './serve-tools.ts'
import {
  createShortcutCalls,
  type Shortcut,
  type ShortcutCalls,
} from './shortcut/shortcut-calls.ts'
import { forwardNotifications } from './upstream-notifications.ts'

/** Creates the MCP server of a connection, or of a single request in the modern protocol. */
export interface GatewayServerFactory extends McpServerFactory {
  (context: McpRequestContext): Server
  /** Answers plain calls without the SDK. Undefined while the setting `shortcut` is off. */
  shortcut(): Shortcut | undefined
}

const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const INCOMPLETE_LIST_CACHE = { ttlMs: 0, cacheScope: 'private' } as const

/** @param version the version of the gateway that clients see */
export function mcpServer(
  gateway: Gateway,
  servers: UpstreamSet,
  { version }: { readonly version: string },
): GatewayServerFactory {
  const info = { name: 'toolsearch', title: 'toolsearch', version }
  const parked = createParkedCalls()
  const prompts = createPrompts(servers, gateway.nameOf)
  const resources = createResources(
    servers,
    (template, uri) => new UriTemplate(template).match(uri) !== null,
  )
  const subscriptions = createSubscriptions(resources, servers)
  const logLevels = createLogLevels(servers)
  const connections = new Set<Server>()
  const callsByServer = new WeakMap<Server, ShortcutCalls>()

  function create({ era, requestInfo }: McpRequestContext, startedCalls?: ShortcutCalls): Server {
    const has = (capability: string) => mayOffer(servers.upstreams.values(), capability)
    const [hasResources, hasPrompts] = [has('resources'), has('prompts')]
    const [hasCompletions, hasLogging] = [has('completions'), has('logging')]
    const instructions = gatewayInstructions(gateway, servers.upstreams.values())
    const server = new Server(info, {
      capabilities: {
        tools: { listChanged: true },
        ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
        ...(hasPrompts && { prompts: { listChanged: true } }),
        ...(hasCompletions && { completions: {} }),
        ...(hasLogging && { logging: {} }),
      },
      ...(instructions !== '' && { instructions }),
      cacheHints: {
        'tools/list': isWaiting(gateway.config, servers) ? INCOMPLETE_LIST_CACHE : LIST_CACHE,
      },
      debouncedNotificationMethods: [
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
        'notifications/prompts/list_changed',
      ],
    })
    const notifyListChanged = () => void server.sendToolListChanged().catch(() => {})
    const list = createConnectionList(gateway, era)
    const runCall = createRunCall(gateway, {
      era,
      // Modern clients identify themselves with each request.
      client: (clientInfo = server.getClientVersion()) =>
        clientOf(clientInfo, requestInfo ? undefined : connectionId(server.transport?.sessionId)),
      onFound: (found) => {
        if (list.add(found).length > 0) notifyListChanged()
      },
      onResult: resources.learn,
    })
    const shortcutCalls =
      startedCalls ?? createShortcutCalls(runCall, { era, connection: server, serverInfo: info })
    callsByServer.set(server, shortcutCalls)
    serveTools(server, {
      era,
      parked,
      list,
      listReady: () => listReady({ config: gateway.config, servers }),
      runCall,
      shortcutCalls,
    })
    const stops = [gateway.onListChanged(notifyListChanged), shortcutCalls.close]
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
    // The server of a single request is too short-lived for other notifications.
    if (requestInfo === undefined) {
      connections.add(server)
      stops.push(
        forwardNotifications(server, servers, {
          era,
          isSubscribed: (uri) => subscriptions.has(server, uri),
          isOnlyConnection: () => connections.size === 1,
        }),
      )
    }
    server.onclose = () => {
      connections.delete(server)
      for (const stop of stops) stop()
    }
    return server
  }

  const shortcut: Shortcut = {
    callsOf: (server) => callsByServer.get(server)!,
    forRequest() {
      const runCall = createRunCall(gateway, {
        era: 'modern',
        client: clientOf,
        onResult: resources.learn,
      })
      const calls = createShortcutCalls(runCall, {
        era: 'modern',
        connection: {},
        serverInfo: info,
      })
      return { calls, factory: (context) => create(context, calls) }
    },
  }

  return Object.assign((context: McpRequestContext) => create(context), {
    shortcut: () => (gateway.config.shortcut ? shortcut : undefined),
  })
}

/** Whether a server declares a capability, or has not declared its capabilities yet. */
function mayOffer(upstreams: Iterable<Upstream>, capability: string): boolean {
  for (const { status, capabilities } of upstreams) {
    // The era is known from the first connection on, and so are the capabilities.
    if (status.era === undefined || capabilities[capability] !== undefined) return true
  }
  return false
}
