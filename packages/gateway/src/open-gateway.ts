import type { SearchOutcome } from 'toolsearch'
import type { ConfigFile } from './config/config-file.ts'
import { readGivenConfig } from './config/read-given-config.ts'
import { failure } from './offering/call-failure.ts'
import type { GatewayOptions } from './offering/gateway.ts'
import type { CallResult } from './offering/large-results.ts'
import type { SetupProblem } from './offering/setup-problem.ts'
import { type GatewayInternals, openInternals } from './open-internals.ts'
import type { McpTool } from './protocol/mcp-tool.ts'
import type { GuardedServerOptions } from './serving/http/guarded-server.ts'
import type { HttpService } from './serving/http/serve-http.ts'
import * as folders from './system/data-folders.ts'
import type { Report } from './system/report.ts'
import { version } from './system/version.ts'
import type { Upstream, UpstreamState } from './upstreams/upstream.ts'

export { ConfigError } from './config/config-error.ts'
export type { ConfigFile, GatewaySettings, ServerEntry } from './config/config-file.ts'
export type { ConfigProblem } from './config/config-problem.ts'
export type { CallResult } from './offering/large-results.ts'
export type { SetupProblem } from './offering/setup-problem.ts'
export type { McpTool } from './protocol/mcp-tool.ts'
export type { HttpService } from './serving/http/serve-http.ts'
export type { UpstreamState } from './upstreams/upstream.ts'

/** A gateway in this process: one set of tools in front of many MCP servers. */
export interface OpenGateway {
  /**
   * Resolves when every server has connected or failed. Not required before using the gateway: a
   * call waits for its server, and a search reports the servers that are not ready.
   *
   * @param onServer runs for each server as soon as it has connected or failed
   */
  ready(onServer?: (server: ServerStatus, remaining: number) => void): Promise<void>
  /** The tools that an agent sees. Same reference until the list changes. */
  listTools(): readonly McpTool[]
  /**
   * Calls a meta tool, such as `tool_search`, or a server's tool by the name that agents see. Never
   * rejects: failures are results with `isError` and a text for the model.
   */
  callTool(call: ToolCall, options?: { readonly signal?: AbortSignal }): Promise<CallResult>
  /** Searches the tools of all servers, like `tool_search`, and returns data instead of text. */
  search(query: string, options?: { readonly limit?: number }): SearchOutcome
  /** The status of each server, in the order of the configuration. */
  servers(): readonly ServerStatus[]
  /**
   * Settings that match no tool, invalid overrides, and tools that had to be renamed, each with a
   * message for people. A setting is checked once the tools of its servers are known.
   */
  setupProblems(): readonly SetupProblem[]
  /**
   * Runs the listener when the list of tools or the status of a server changes. Returns a function
   * that stops it.
   */
  onChange(listener: () => void): () => void
  /** Serves the gateway to one MCP client over this process's stdin and stdout. */
  serveStdio(): Promise<{ close(): Promise<void> }>
  /**
   * Serves the gateway to MCP clients over Streamable HTTP. Rejects with the code `missing_token` if
   * the host is not loopback and there is neither a token nor `identity` in the configuration, and
   * with the code `token_and_identity` if there are both.
   */
  serveHttp(options?: Pick<GuardedServerOptions, 'host' | 'port' | 'token'>): Promise<HttpService>
  /** Closes all connections and stops the servers that the gateway has started. */
  close(): Promise<void>
  /**
   * The parts of the gateway, for the command line and the inspector.
   * @internal
   */
  readonly internals: GatewayInternals
}

export interface ToolCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

export interface ServerStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Why it is in this state, and what to do about it. */
  readonly detail?: string
  /** The number of its tools, including hidden ones. */
  readonly tools: number
}

export interface OpenGatewayOptions extends Pick<GatewayOptions, 'audience'> {
  /**
   * Values for `${NAME}` in the configuration, and for `TOOLSEARCH_CACHE`, `XDG_CACHE_HOME` and
   * `XDG_STATE_HOME`, which set the default folders.
   * @default process.env
   */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Where to cache the servers' tool lists, so that known servers start on first use. False for no
   * cache: then every server starts immediately.
   * @default '~/.cache/toolsearch'
   */
  readonly cacheFolder?: string | false
  /**
   * Where to store approved tool definitions and OAuth sign-ins. False to store nothing.
   * @default '~/.local/state/toolsearch'
   */
  readonly stateFolder?: string | false
  /**
   * Called when something works worse than configured, such as an embedding model that does not
   * respond, and when it works again. Must not throw. The second argument is `error` if data is lost or a
   * store cannot be used, and `info` if something works again.
   * @default a warning of the process, on stderr
   */
  readonly onWarning?: Report
  /**
   * Whether tools will be searched. Otherwise, the embedding table is not loaded.
   * @internal
   */
  readonly isSearched?: boolean
  /**
   * Whether only the person at the command line uses the gateway, even if people can sign in to it. That
   * person's own sign-ins and environment variables are then used for servers with credentials of
   * people.
   * @internal
   */
  readonly isLocal?: boolean
  /**
   * Whether to open even if PostgreSQL cannot be used, to report it together with other problems.
   * @internal
   */
  readonly areRecordsOptional?: boolean
}

const CLOSED = 'The gateway is closed.'

/**
 * Opens a gateway. Resolves before the servers have connected; see `ready`.
 *
 * @param config a configuration, or the path of a configuration file
 * @throws ConfigError if the configuration is invalid
 *
 * @example
 * const gateway = await openGateway({
 *   mcpServers: { files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] } },
 * })
 * const found = await gateway.callTool({ name: 'tool_search', arguments: { query: 'read a file' } })
 */
export async function openGateway(
  config: ConfigFile | { readonly file: string },
  options: OpenGatewayOptions = {},
): Promise<OpenGateway> {
  const { env = process.env, audience = 'model', onWarning = warn, isSearched = true } = options
  const { cacheFolder = folders.cacheFolder(env), stateFolder = folders.stateFolder(env) } = options
  const source = await readGivenConfig(config, env)
  const hasPeople = source.config.identity !== undefined && options.isLocal !== true
  const { internals, close: closeInternals } = await openInternals(source, {
    env,
    audience,
    cacheFolder,
    stateFolder,
    onWarning,
    isSearched,
    hasPeople,
    areRecordsOptional: options.areRecordsOptional === true,
  })
  const { fleet, servers, gateway, state, records, replicas } = internals
  const services = new Set<{ close(): Promise<void> }>()
  let isClosed = false
  const statusOf = ({ name, status: { state, detail }, tools }: Upstream): ServerStatus => ({
    name,
    state,
    ...(detail !== undefined && { detail }),
    tools: tools.length,
  })

  return {
    async ready(onServer) {
      const upstreams = [...fleet.upstreams.values()]
      let remaining = upstreams.length
      await Promise.all(
        upstreams.map(async (upstream) => {
          await upstream.connect()
          await upstream.skillsRead?.()
          remaining -= 1
          onServer?.(statusOf(upstream), remaining)
        }),
      )
      await gateway.ready()
    },
    listTools: () => gateway.listTools(),
    async callTool(call, { signal } = {}) {
      if (isClosed) return failure(CLOSED)
      return gateway.callTool({ ...call }, { ...(signal && { signal }) })
    },
    search: (query, { limit } = {}) =>
      gateway.toolSearch.search(query, { ...(limit !== undefined && { limit }) }),
    servers: () => [...fleet.upstreams.values()].map(statusOf),
    setupProblems: () => gateway.setupProblems(),
    onChange(listener) {
      const stops = [gateway.onListChanged(listener), servers.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    async serveStdio() {
      if (isClosed) throw new Error(CLOSED)
      const { mcpServer } = await import('./serving/mcp-server.ts')
      const { serveStdio } = await import('./serving/serve-stdio.ts')
      const gate = (await internals.operations())?.gate
      const service = serveStdio(mcpServer(gateway, servers, { version, gate, replicas }))
      services.add(service)
      return service
    },
    async serveHttp({ host, port, token } = {}) {
      if (isClosed) throw new Error(CLOSED)
      const { mcpServer } = await import('./serving/mcp-server.ts')
      const { serveHttp } = await import('./serving/http/serve-http.ts')
      if (token?.trim() === '') onWarning('The token is empty, so no token is required.')
      const { gate, requests } = (await internals.operations()) ?? {}
      const service = await serveHttp(mcpServer(gateway, servers, { version, gate, replicas }), {
        gateway,
        servers,
        state,
        isStored: records.postgres?.database.isAvailable,
        replicas,
        token,
        identity: await internals.identity(),
        ...requests,
        ...(hasPeople && {
          pages: async (...request) => internals.accounts()?.api(...request),
        }),
        ...(host !== undefined && { host }),
        ...(port !== undefined && { port }),
      })
      services.add(service)
      return service
    },
    async close() {
      isClosed = true
      await Promise.all([...services].map((service) => service.close()))
      await closeInternals()
    },
    internals,
  }
}

function warn(message: string): void {
  process.emitWarning(message, 'ToolSearchGateway')
}
