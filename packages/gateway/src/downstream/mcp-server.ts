import { type McpServerFactory, Server } from '@modelcontextprotocol/server'
import { couldHave } from './could-have.ts'
import type { Gateway } from './gateway.ts'
import { createParkedCalls } from './parked-calls.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'
import { serveCompletion } from './serve-completion.ts'
import { servePrompts } from './serve-prompts.ts'
import { serveResources } from './serve-resources.ts'
import { serveTools } from './serve-tools.ts'
import { createSubscriptions } from './subscriptions.ts'
import { tellNews } from './tell-news.ts'
import type { UpstreamSet } from './upstream-set.ts'

export interface McpServerOptions {
  readonly version: string
  /** What the gateway and its servers say of themselves, asked for with each connection. */
  readonly instructions: () => string
}

const LISTED = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Makes the MCP server of one connection, or of one request where the protocol has no connections. */
export function mcpServer(
  gateway: Gateway,
  servers: UpstreamSet,
  { version, instructions }: McpServerOptions,
): McpServerFactory {
  const parked = createParkedCalls()
  const prompts = createPrompts(servers, gateway.nameOf)
  const resources = createResources(servers)
  const subscriptions = createSubscriptions(resources)
  const open = new Set<Server>()

  return ({ era, requestInfo }) => {
    const has = (capability: string) => couldHave(servers.upstreams.values(), capability)
    const [hasResources, hasPrompts] = [has('resources'), has('prompts')]
    const hasCompletions = has('completions')
    const server = new Server(
      { name: 'toolsearch', title: 'toolsearch', version },
      {
        capabilities: {
          tools: { listChanged: true },
          ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
          ...(hasPrompts && { prompts: { listChanged: true } }),
          ...(hasCompletions && { completions: {} }),
          ...(has('logging') && { logging: {} }),
        },
        instructions: instructions(),
        cacheHints: { 'tools/list': LISTED },
        debouncedNotificationMethods: [
          'notifications/tools/list_changed',
          'notifications/resources/list_changed',
          'notifications/prompts/list_changed',
        ],
      },
    )
    const stops = [serveTools(server, gateway, { era, parked, onResult: resources.learn })]
    if (hasResources) {
      stops.push(serveResources(server, resources, { era, parked, subscriptions }))
    }
    if (hasPrompts) servePrompts(server, prompts, { era, parked, onResult: resources.learn })
    if (hasCompletions) serveCompletion(server, prompts, resources)
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
}
