import { join, resolve } from 'node:path'
import { type SearchOutcome, ToolSearchError } from 'toolsearch'
import { type OpenAccess, openAccess } from './access/open-access.ts'
import { isPersonal } from './accounts/account-servers.ts'
import { localServers } from './accounts/local-servers.ts'
import type { Accounts } from './accounts/open-accounts.ts'
import type { ConfigFile } from './config/config-file.ts'
import { type ConfigProblem, formatProblem } from './config/config-problem.ts'
import type { GatewayConfig } from './config/gateway-config.ts'
import { loadConfig } from './config/load-config.ts'
import { readConfig } from './config/read-config.ts'
import { type ApiKeys, createApiKeys } from './identity/api-keys.ts'
import type { FollowingIdentity } from './identity/follow-identity.ts'
import type { Person } from './identity/person.ts'
import { failure } from './offering/answer-calls.ts'
import { type Approvals, createApprovals } from './offering/approvals/approvals.ts'
import { createGateway, type Gateway, type GatewayOptions } from './offering/gateway.ts'
import type { CallResult } from './offering/large-results.ts'
import { type OpenRanker, openRanker } from './offering/open-ranker.ts'
import type { SetupProblem } from './offering/setup-problems.ts'
import type { UpstreamSet } from './offering/upstream-set.ts'
import type { Operations } from './open-operations.ts'
import { openRecords } from './open-records.ts'
import { isObject, type JsonObject } from './protocol/json-object.ts'
import type { McpTool } from './protocol/mcp-tool.ts'
import type { Records } from './records.ts'
import type { GuardedServerOptions } from './serving/http/guarded-server.ts'
import type { HttpService } from './serving/http/serve-http.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { openReplicas } from './state/open-replicas.ts'
import { openSharedState } from './state/open-shared-state.ts'
import type { ReplicaCalls } from './state/replica-calls.ts'
import type { SharedState } from './state/shared-state.ts'
import { createFolder } from './system/create-folder.ts'
import * as folders from './system/data-folders.ts'
import { createEmitter } from './system/emitter.ts'
import { createSerialQueue } from './system/serial-queue.ts'
import { tuneGarbageCollection } from './system/tune-garbage-collection.ts'
import { version } from './system/version.ts'
import { wantsTelemetry } from './telemetry/wants-telemetry.ts'
import { createFleet, type Fleet } from './upstreams/create-fleet.ts'
import type { UpstreamOptions } from './upstreams/create-upstream.ts'
import { createManifestCache } from './upstreams/manifest-cache.ts'
import type { Upstream, UpstreamState } from './upstreams/upstream.ts'

export type { ConfigFile, GatewaySettings, ServerEntry } from './config/config-file.ts'
export type { ConfigProblem } from './config/config-problem.ts'
export type { CallResult } from './offering/large-results.ts'
export type { SetupProblem } from './offering/setup-problems.ts'
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

/** @internal */
export interface GatewayInternals {
  /** The configuration file. For a configuration object: `toolsearch.json` in the working directory. */
  readonly file: string
  readonly config: GatewayConfig
  readonly fleet: Fleet
  readonly servers: UpstreamSet
  readonly gateway: Gateway
  readonly approvals: Approvals
  readonly ranker: OpenRanker
  /** What is stored in files, or in PostgreSQL. */
  readonly records: Records
  /** What all replicas share. */
  readonly state: SharedState
  /** The other replicas, if there can be some. */
  readonly replicas: ReplicaCalls | undefined
  /** Who sends a request over HTTP. Resolves to undefined without `identity` in the configuration. */
  readonly identity: () => Promise<FollowingIdentity | undefined>
  /** Who may use what, by the rules and policies now. */
  readonly access: OpenAccess
  /** People's own accounts. Undefined while no server needs them. */
  readonly accounts: () => Accounts | undefined
  /** Undefined if nothing is stored. */
  readonly apiKeys: ApiKeys | undefined
  /** Telemetry, audit and limits. Opens them at the first call; undefined if none is configured. */
  readonly operations: () => Promise<Operations | undefined>
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
   * respond. Must not throw.
   * @default a warning of the process, on stderr
   */
  readonly onWarning?: (message: string) => void
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
}

/** The configuration is invalid. `problems` has one entry for each mistake. */
export class ConfigError extends ToolSearchError {
  override readonly name = 'ConfigError'
  readonly code = 'invalid_config'
  readonly problems: readonly ConfigProblem[]

  constructor(message: string, problems: readonly ConfigProblem[]) {
    super(message)
    this.problems = problems
  }
}

const CLOSED = 'The gateway is closed.'
const NOT_STORED =
  'Servers with credentials of people need a state folder or PostgreSQL, where the credentials are stored.'
const OLD_POLICIES = 'The Cedar policies before this change stay in effect.'

/** Declared to every server, because legacy servers connect before a client is known. */
const CLIENT_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

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
  const source = await readSource(config, env)
  const access = await openAccess(source.config, {
    onProblems(problems) {
      if (problems.length === 0) onWarning('The Cedar policies are valid again.')
      for (const problem of problems) onWarning(`${formatProblem(problem)}\n${OLD_POLICIES}`)
    },
  })
  if (access.problems.length > 0) {
    access.close()
    throw new ConfigError(access.problems.map(formatProblem).join('\n'), access.problems)
  }
  const { cacheFolder: givenCache = folders.cacheFolder(env) } = options
  const { stateFolder: givenState = folders.stateFolder(env) } = options
  const cacheFolder = await usableFolder(givenCache, onWarning)
  const stateFolder =
    givenState === givenCache ? cacheFolder : await usableFolder(givenState, onWarning)
  const changes = createEmitter<[server: string]>()
  const notifications = createEmitter<[server: string, method: string, params: JsonObject]>()
  const state = await openSharedState(source.config.state, { onWarning })
  const replicas = await openReplicas(state, source.config.state)
  const records = await openRecords(source.config, { file: source.file, stateFolder, state })
  const signIns = createSignIns(records.signIns)
  let telemetry: Operations['telemetry']
  const aroundRequest: UpstreamOptions['aroundRequest'] = wantsTelemetry(source.config.telemetry)
    ? (request, send) => telemetry?.aroundRequest(request, send) ?? send()
    : undefined
  const hasPeople = source.config.identity !== undefined && options.isLocal !== true
  const secrets = env.TOOLSEARCH_TOKEN ? [env.TOOLSEARCH_TOKEN] : []
  const fleet = await createFleet(source.config.servers, {
    select: (all) =>
      hasPeople ? all.filter((config) => !isPersonal(config)) : localServers(all, env),
    authFor: signIns.authFor,
    ...(aroundRequest && { aroundRequest }),
    ...(cacheFolder !== false && { cache: createManifestCache(join(cacheFolder, 'manifests')) }),
    clientCapabilities: CLIENT_CAPABILITIES,
    secrets,
    onChange: (server) => changes.emit(server),
    onNotification: notifications.emit,
  })
  const servers: UpstreamSet = {
    get upstreams() {
      return fleet.upstreams
    },
    subscribe: changes.subscribe,
    onNotification: notifications.subscribe,
  }
  const tune = () => tuneGarbageCollection(fleet.upstreams.values())
  servers.subscribe(tune)
  tune()
  const stopWatching = signIns.watch((server) => void reconnect(fleet, server))
  const approvals = await createApprovals(records.approvals)
  // Commands connect before they index, and would not notice what replaced the cached tools.
  for (const { name, tools } of fleet.upstreams.values()) approvals.remember(name, tools)
  const ranker = await openRanker(isSearched ? source.config : NO_SEARCH, {
    cacheDir: cacheFolder !== false && join(cacheFolder, 'vectors'),
    warn: onWarning,
  })
  let accounts: Accounts | undefined
  const gateway = createGateway(source.config, servers, {
    state,
    approvals,
    access,
    audience,
    ranker: ranker.create,
    personServers: { serversFor: (person) => accounts?.people.serversFor(person) },
  })
  const accountChanges = createSerialQueue()
  const applyAccounts = async () => {
    const { identity: settings, encryption, servers: configs } = gateway.config
    if (!hasPeople || !settings || !(accounts || configs.some(isPersonal))) return
    const { openAccounts } = await import('./accounts/open-accounts.ts')
    if (!records.accounts) throw new Error(NOT_STORED)
    accounts ??= await openAccounts({
      url: settings.url,
      servers: () => gateway.config.servers,
      encryption,
      records: records.accounts,
      shared: records.postgres,
      state,
      stateFolder,
      ...(cacheFolder !== false && { cacheFolder: join(cacheFolder, 'manifests', 'people') }),
      upstream: {
        clientCapabilities: CLIENT_CAPABILITIES,
        secrets,
        ...(aroundRequest && { aroundRequest }),
      },
      mayUse: (person, server) => access.rightsOf({ person }).server(server).isAllowed,
      signedIn,
      onEvent({ person, server, action }) {
        const entry = { person, kind: 'admin', outcome: 'ok', detail: { server } } as const
        const record = (opened: Operations | undefined) =>
          opened?.audit?.record({ ...entry, action: `account.${action}` })
        // operations that cannot be opened fail the requests of agents, with a message
        operations().then(record, () => {})
      },
      onWarning,
    })
    await accounts.people.apply(gateway.config.servers)
  }
  const stopApprovals = records.approvals.onChange(async () => {
    await approvals.refresh()
    gateway.applyApprovals()
    const outdated = new Set<string>()
    // A person may have accepted a definition that this process has not read yet: servers don't
    // have to announce changes.
    for (const { server, kind } of gateway.waitingTools()) {
      if (kind === 'changed') outdated.add(server)
    }
    for (const server of outdated) void fleet.upstreams.get(server)?.refreshTools()
  })
  const apiKeys = records.keys && createApiKeys(records.keys)
  let openIdentity: Promise<FollowingIdentity> | undefined
  const identity = async () => {
    const { config } = gateway
    if (config.identity === undefined) return undefined
    const { followIdentity } = await import('./identity/follow-identity.ts')
    openIdentity ??= followIdentity(config.identity, { keys: apiKeys, state, onWarning })
    return openIdentity
  }
  gateway.onConfigured(() => {
    access.configure(gateway.config).catch((error: unknown) => onWarning(String(error)))
  })
  /** The person whose browser sends a request to a path without credentials. */
  async function signedIn({ headers, url }: Request): Promise<Person | undefined> {
    const cookie = headers.get('cookie') ?? undefined
    const { pathname: path } = new URL(url)
    const found = await (await identity())?.authenticate({ headers: { cookie }, path })
    return found && 'person' in found ? found.person : undefined
  }
  async function closeParts(): Promise<void> {
    const opened = await openedOperations?.catch(() => undefined)
    await opened?.close()
    gateway.close()
    stopWatching()
    stopApprovals()
    access.close()
    const saved = approvals.saved().catch((error: Error) => {
      onWarning(`Decisions about tools could not be stored. ${error.message}`)
    })
    await accounts?.people.close()
    await Promise.all([fleet.close(), saved, ranker.close(), apiKeys?.close()])
    await replicas?.close()
    await Promise.all([records.close(), state.close()])
  }
  gateway.onConfigured(() => {
    const applied = accountChanges.run(applyAccounts)
    applied.catch((error: Error) => onWarning(error.message))
  })
  gateway.onConfigured(async () => {
    const opened = await openIdentity
    await opened?.configure(gateway.config.identity)
  })
  let openedOperations: Promise<Operations> | undefined
  const operations = async () => {
    const { audit, rateLimits, telemetry: exported } = source.config
    if (!audit && rateLimits.length === 0 && !wantsTelemetry(exported)) return undefined
    const { openOperations } = await import('./open-operations.ts')
    openedOperations ??= openOperations({
      config: () => gateway.config,
      state,
      file: source.file,
      stateFolder,
      postgresAudit: records.postgres?.audit,
      secrets: env.TOOLSEARCH_TOKEN ? [env.TOOLSEARCH_TOKEN] : [],
      version,
      onWarning,
    })
    const opened = await openedOperations
    telemetry = opened.telemetry
    return opened
  }
  try {
    await applyAccounts()
  } catch (error) {
    await closeParts()
    throw error
  }
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
          remaining -= 1
          onServer?.(statusOf(upstream), remaining)
        }),
      )
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
      const gate = (await operations())?.gate
      const service = serveStdio(mcpServer(gateway, servers, { version, gate, replicas }))
      services.add(service)
      return service
    },
    async serveHttp({ host, port, token } = {}) {
      if (isClosed) throw new Error(CLOSED)
      const { mcpServer } = await import('./serving/mcp-server.ts')
      const { serveHttp } = await import('./serving/http/serve-http.ts')
      if (token?.trim() === '') onWarning('The token is empty, so no token is required.')
      const gate = (await operations())?.gate
      const service = await serveHttp(mcpServer(gateway, servers, { version, gate, replicas }), {
        gateway,
        servers,
        state,
        isStored: records.postgres?.database.isAvailable,
        replicas,
        token,
        identity: await identity(),
        ...(hasPeople && {
          pages: async (request, caller) => accounts?.api(request, caller),
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
      await closeParts()
    },
    internals: {
      ...source,
      fleet,
      servers,
      gateway,
      approvals,
      ranker,
      state,
      records,
      replicas,
      identity,
      apiKeys,
      access,
      operations,
      accounts: () => accounts,
    },
  }
}

function warn(message: string): void {
  process.emitWarning(message, 'ToolSearchGateway')
}

/** The folder, or false after a warning if it cannot be created. */
async function usableFolder(
  folder: string | false,
  onWarning: (message: string) => void,
): Promise<string | false> {
  if (folder === false) return false
  try {
    await createFolder(folder)
    return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    onWarning(
      `The folder ${folder} cannot be created (${code}), so nothing is stored there. Set TOOLSEARCH_CACHE to another folder.`,
    )
    return false
  }
}

type Env = NonNullable<OpenGatewayOptions['env']>

/** @throws ConfigError */
async function readSource(
  given: ConfigFile | { readonly file: string },
  env: Env,
): Promise<{ file: string; config: GatewayConfig }> {
  const mistake = mistakeIn(given)
  if (mistake) throw new ConfigError(mistake, [])
  if ('file' in given && typeof given.file === 'string') {
    const file = resolve(given.file)
    const read = await loadConfig(file, { env })
    if ('config' in read) return { file, config: read.config }
    // `servers()` reports the servers with problems; the others can be served
    if (read.usable) return { file, config: read.usable }
    throw new ConfigError(read.problems.map(formatProblem).join('\n'), read.problems)
  }
  // Relative paths are resolved from the working directory, and approvals are stored for it.
  const file = resolve('toolsearch.json')
  const read = readConfig(toJson(given), { file, env })
  if ('config' in read) return { file, config: read.config }
  const lines = read.problems.map(({ message, fix }) => `- ${message} ${fix}`)
  throw new ConfigError(`Invalid gateway configuration:\n${lines.join('\n')}`, read.problems)
}

/** What is wrong with the argument itself, before its contents are checked. */
function mistakeIn(given: unknown): string | undefined {
  const example = "Pass a configuration object or { file: 'toolsearch.json' }."
  if (typeof given === 'string') {
    return `openGateway() does not take a string. To open a file, pass { file: ${JSON.stringify(given)} }.`
  }
  if (!isObject(given)) return `openGateway() needs a configuration. ${example}`
  if (!('file' in given)) return undefined
  if (typeof given.file !== 'string' || given.file === '')
    return `"file" must be a path. ${example}`
  const others = Object.keys(given).filter((key) => key !== 'file')
  if (others.length === 0) return undefined
  return `Pass either "file" or a configuration, not both: remove "${others.join('", "')}".`
}

/** @throws ConfigError if the configuration cannot be written as JSON */
function toJson(config: ConfigFile | { readonly file: string }): string {
  try {
    return JSON.stringify(config, null, 2)
  } catch (error) {
    throw new ConfigError(`The configuration is not JSON: ${(error as Error).message}`, [])
  }
}

/** Connects to a server after a person has signed in to it. */
async function reconnect({ upstreams }: Fleet, server: string): Promise<void> {
  const upstream = upstreams.get(server)
  // A connection attempt may have started before the sign-in; wait for its result.
  if (upstream?.status.state === 'connecting') await upstream.connect()
  if (upstream?.status.state === 'needs-sign-in') await upstream.connect()
}

/** The ranking that takes the least time to set up. */
const NO_SEARCH = { ranking: 'words', translateQueries: false } as const
