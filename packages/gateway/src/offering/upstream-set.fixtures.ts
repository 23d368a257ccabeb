import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { Era } from '../protocol/versions.ts'
import type { Upstream, UpstreamState } from '../upstreams/upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

const limits = { connectMs: 1_000, callMs: 1_000, resultChars: 1_000 }

export function serverConfig(name: string, more: Partial<ServerConfig> = {}): ServerConfig {
  return {
    name,
    connection: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} },
    alwaysLoad: false,
    prefix: true,
    disabledTools: [],
    deny: [],
    readOnly: false,
    hints: {},
    overrides: {},
    limits,
    disabled: false,
    credentials: { kind: 'shared' },
    ...more,
  }
}

export function gatewayConfig(
  servers: readonly ServerConfig[],
  more: Partial<GatewayConfig> = {},
): GatewayConfig {
  return {
    servers,
    mode: 'search',
    callTools: 'by-effect',
    deny: [],
    readOnly: false,
    skills: [],
    pins: [],
    limits,
    ranking: 'words',
    translateQueries: false,
    learning: 'off',
    approve: 'off',
    shortcut: true,
    taskSeconds: 0,
    history: 'on',
    historyDays: 30,
    historyMegabytes: 50,
    profiles: {},
    rateLimits: [],
    state: { redisPrefix: 'toolsearch:' },
    ...more,
  }
}

export interface FakeServer {
  tools: McpTool[]
  skills?: Upstream['skills']
  state?: UpstreamState
  detail?: string
  instructions?: string
  capabilities?: JsonObject
  era?: Era
  answer?: (
    params: JsonObject,
    method: string,
    options: RequestOptions,
  ) => JsonObject | Promise<JsonObject>
}

/** In-memory servers that record the requests they receive. */
export function upstreamSet(servers: Record<string, FakeServer>): UpstreamSet & {
  calls: { server: string; params: JsonObject }[]
  change(name: string, server: FakeServer | undefined): void
  notify(name: string, method: string, params?: JsonObject): void
} {
  const calls: { server: string; params: JsonObject }[] = []
  const listeners = new Set<(name: string) => void>()
  const listening = new Set<Parameters<UpstreamSet['onNotification']>[0]>()
  const upstreams = new Map(
    Object.entries(servers).map(([name, server]) => [name, createFake(name, server)]),
  )
  return {
    upstreams,
    calls,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onNotification(listener) {
      listening.add(listener)
      return () => listening.delete(listener)
    },
    notify(name, method, params = {}) {
      for (const listener of listening) listener(name, method, params)
    },
    change(name, server) {
      if (server) upstreams.set(name, createFake(name, server))
      else upstreams.delete(name)
      for (const listener of listeners) listener(name)
    },
  }

  function createFake(name: string, server: FakeServer): Upstream {
    return {
      name,
      tools: server.tools,
      skills: server.skills ?? [],
      instructions: server.instructions,
      capabilities: server.capabilities ?? {},
      status: {
        state: server.state ?? 'ready',
        ...(server.detail !== undefined && { detail: server.detail }),
        ...(server.era && { era: server.era }),
        logOutput: [],
        strayLines: 0,
        refused: [],
      },
      connect: async () => {},
      close: async () => {},
      setLimits: () => {},
      refreshTools: async () => {},
      watchResource: async (uri) => void calls.push({ server: name, params: { watch: uri } }),
      unwatchResource: async (uri) => void calls.push({ server: name, params: { unwatch: uri } }),
      setLogLevel: (level) => void calls.push({ server: name, params: { level } }),
      async request(method, params, options = {}) {
        calls.push({ server: name, params })
        const answer = await server.answer?.(params, method, options)
        return answer ?? { content: [{ type: 'text', text: 'done' }] }
      },
    }
  }
}
