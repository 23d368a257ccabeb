import { type Tool, type ToolSearch, validSchema } from 'toolsearch'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { ApprovalState, Approvals } from './approvals/approvals.ts'
import { metaTools } from './meta-tools.ts'
import { type HiddenTool, planOffer } from './offer-plan.ts'
import { serverDirectory } from './server-directory.ts'
import { createSetupProblems, type SetupProblem } from './setup-problems.ts'
import { createSyncedTools, type ToolOrigin } from './synced-tools.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The tools of all servers under the names that agents see, and which of them are listed. */
export interface ToolListing {
  readonly config: GatewayConfig
  readonly isDynamic: boolean
  /** Whether the list contains the meta tools instead of all tools. */
  readonly isSearching: boolean
  settings(server: string): ServerConfig | undefined
  /** The listed tools in a stable order, followed by the found ones that are not among them. */
  list(found: Iterable<string>): readonly McpTool[]
  /** A tool as agents see it, with valid schemas. */
  definition(tool: Tool): McpTool
  nameOf(server: string, name: string): string
  /** Adds withheld tools that a person has accepted since, in this process or another. */
  addAccepted(): Promise<void>
  /** Indexes the tools of servers that are still waiting to be indexed. */
  indexAll(): void
  /** Undefined if no server has the tool. Also finds tools that are withheld from models. */
  origin(name: string): ToolOrigin | undefined
  /** The tools that rules or invalid overrides hide from agents. */
  hiddenTools(): readonly HiddenTool[]
  /** Settings that match no tool, and tools that could not get the name they should have. */
  problems(): readonly SetupProblem[]
  /** Undefined if no server has the tool. */
  approvalOf(name: string): ApprovalState | undefined
  /** Whether models may not see or call a tool until a person approves it. */
  isWithheld(name: string): boolean
  waitingTools(): WaitingTool[]
  /** Decides about a tool. Returns false if there is no such tool, or nothing to undo. */
  decide(name: string, decision: 'accept' | 'block' | 'undo'): boolean
  /** Adds and removes tools after another process has decided about them. */
  applyApprovals(): void
  configure(config: GatewayConfig): void
  onConfigured(listener: () => void): () => void
  onListChanged(listener: () => void): () => void
  close(): void
}

/** A tool that needs a decision of a person, or that one has blocked. */
export interface WaitingTool {
  readonly name: string
  readonly server: string
  readonly kind: Exclude<ApprovalState, 'approved'>
}

/** With fewer tools, mode `auto` lists them all. */
const AUTO_TOOLS = 15
/** Servers with at least this many tools are indexed in the background. */
const LARGE_SERVER = 200
/** Gives a client time to connect before indexing starts. */
const START_DELAY_MS = 250
/** Gives requests a chance to run between two servers. */
const PAUSE_MS = 20

export interface ToolListingOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  /** Tools that wait for approval are shown to a person and withheld from a model. */
  readonly audience: 'model' | 'person'
}

export function createToolListing(
  initial: GatewayConfig,
  servers: UpstreamSet,
  { toolSearch, approvals, audience }: ToolListingOptions,
): ToolListing {
  let config = initial
  let settings = byName(config)
  let plan = planOffer(config)
  const { catalogue } = toolSearch
  const listeners = new Set<() => void>()
  const configured = new Set<() => void>()
  let listed: readonly McpTool[] | undefined
  let directory: string | undefined
  const problems = createSetupProblems(servers)
  const tools = createSyncedTools(servers, {
    toolSearch,
    approvals,
    plan: () => plan,
    settings: (server) => settings.get(server),
    isWithheld: (server, tool) => audience === 'model' && mustWait(server, tool),
    policy: () => config.approve,
  })

  setNewWaits(config)

  // Indexing thousands of tools takes a while, and the list of meta tools does not depend on it.
  const pending = new Set(servers.upstreams.keys())
  let isPending = hasPending()
  let timer = setTimeout(indexNext, START_DELAY_MS).unref()
  const unsubscribe = servers.subscribe((name) => {
    if (pending.size === 0 && !isLarge(name)) {
      change(() => sync(name))
      return
    }
    if (pending.size === 0) timer = setTimeout(indexNext, PAUSE_MS).unref()
    pending.add(name)
  })

  const listing: ToolListing = {
    get config() {
      return config
    },
    get isDynamic() {
      return config.mode === 'dynamic'
    },
    get isSearching() {
      return isSearching()
    },
    settings: (server) => settings.get(server),
    list(found) {
      void addAccepted()
      listed ??= isSearching()
        ? [...searchTools(), ...pinnedTools().map(listing.definition)]
        : [
            // Clients that list tools only once can search for those that are still missing.
            ...(hasPending() || allTools().length === 0 ? searchTools() : []),
            ...allTools().map(listing.definition),
          ]
      const foundTools = [...found].flatMap((name) => catalogue.get(name) ?? [])
      if (foundTools.length === 0) return listed
      const names = new Set(listed.map(({ name }) => name))
      const added = foundTools.filter(({ name }) => !names.has(name))
      return [...listed, ...added.map(listing.definition)]
    },
    definition: (tool) => ({
      ...tools.origins.get(tool.name)!.shown,
      name: tool.name,
      ...(tool.problems.length > 0 && validSchemas(tool)),
    }),
    nameOf: (server, name) => plan.names.nameOf(server, name),
    addAccepted,
    indexAll,
    origin: (name) => tools.origins.get(name),
    hiddenTools: () => tools.hidden(),
    problems: () => problems(config, plan),
    approvalOf(name) {
      const origin = tools.origins.get(name)
      return origin && (approvals?.stateOf(origin.server, origin.tool) ?? 'approved')
    },
    isWithheld(name) {
      const origin = tools.origins.get(name)
      return origin !== undefined && mustWait(origin.server, origin.tool)
    },
    waitingTools: () =>
      [...tools.origins].flatMap(([name, { server }]) => {
        const kind = listing.approvalOf(name)!
        return kind === 'approved' ? [] : [{ name, server, kind }]
      }),
    decide(name, decision) {
      const origin = tools.origins.get(name)
      if (!origin || !approvals) return false
      const { server, tool } = origin
      if (decision === 'undo' && !approvals.undo(server, tool.name)) return false
      if (decision === 'accept') approvals.accept(server, tool)
      if (decision === 'block') approvals.block(server, tool.name)
      applyApprovals()
      return true
    },
    applyApprovals,
    configure(next) {
      setNewWaits(next)
      indexAll()
      change(() => {
        config = next
        directory = undefined
        settings = byName(next)
        plan = planOffer(next)
        tools.releaseNames()
        for (const name of servers.upstreams.keys()) tools.sync(name)
        return true
      })
      for (const listener of configured) listener()
    },
    onConfigured(listener) {
      configured.add(listener)
      return () => configured.delete(listener)
    },
    onListChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      unsubscribe()
      clearTimeout(timer)
      pending.clear()
      listeners.clear()
      configured.clear()
    },
  }
  return listing

  /**
   * Runs an update and notifies the listeners if it changed the list.
   *
   * @param update returns false if it cannot have changed the list
   */
  function change(update: () => boolean): void {
    const before = listed
    const { version } = catalogue
    if (!update()) return
    listed = undefined
    // In mode `dynamic`, a changed tool may be listed on a connection that has found it.
    const mayBeListed = listing.isDynamic && catalogue.version !== version
    const isSame =
      before === undefined || JSON.stringify(before) === JSON.stringify(listing.list([]))
    if (isSame && !mayBeListed) return
    for (const listener of listeners) listener()
  }

  /** Indexes one server at a time, so that requests do not have to wait for all of them. */
  function indexNext(): void {
    const [name] = pending
    if (name === undefined) return
    pending.delete(name)
    change(() => sync(name))
    if (pending.size > 0) timer = setTimeout(indexNext, PAUSE_MS).unref()
  }

  function indexAll(): void {
    for (const name of pending) {
      pending.delete(name)
      change(() => sync(name))
    }
  }

  /**
   * Stays the same until the configuration changes, even if servers change their tools: a new text
   * would invalidate the prompt cache of every client.
   */
  function directoryText(): string {
    directory ??= serverDirectory(config.servers, offeredTools)
    return directory
  }

  /** Known without indexing them. */
  function offeredTools(server: string): readonly McpTool[] {
    const tools = servers.upstreams.get(server)?.tools ?? []
    const prefix = `${toolPrefix(server)}__`
    return plan
      .offer(server, tools)
      .offered.filter(({ tool }) => !mustWait(server, tool))
      .map(({ name, shown }) => ({
        ...shown,
        name: name.startsWith(prefix) ? name.slice(prefix.length) : name,
      }))
  }

  function isLarge(server: string): boolean {
    return (servers.upstreams.get(server)?.tools.length ?? 0) >= LARGE_SERVER
  }

  async function addAccepted(): Promise<void> {
    if (!tools.hasWithheld) return
    await approvals?.refresh()
    applyApprovals()
  }

  function applyApprovals(): void {
    for (const server of tools.outdatedServers()) change(() => tools.resync(server))
  }

  /** Whether a tool must not be used before a person has approved it. */
  function mustWait(server: string, tool: McpTool): boolean {
    if (!approvals) return false
    // The states of thousands of tools take a while: each needs the fingerprint of its definition.
    if (config.approve === 'off') return approvals.isBlocked(server, tool.name)
    return approvals.stateOf(server, tool) !== 'approved'
  }

  /**
   * People run commands while a gateway runs. Those must not approve the tools that wait there, even
   * if only the command line of the gateway asks for approval.
   */
  function setNewWaits({ approve }: GatewayConfig): void {
    const waits = approve === 'new'
    if (waits || audience === 'model') approvals?.setNewWaits(waits)
  }

  /** Whether servers are still connecting for the first time. */
  function hasPending(): boolean {
    return [...servers.upstreams.values()].some(({ status }) => status.isPending)
  }

  /** Updates the tools of a server. Returns false if that cannot have changed the list. */
  function sync(name: string): boolean {
    const isSynced = tools.sync(name)
    const wasPending = isPending
    isPending = hasPending()
    return isSynced || wasPending !== isPending
  }

  function searchTools(): readonly McpTool[] {
    return metaTools(config.callTools, directoryText())
  }

  function isSearching(): boolean {
    if (config.mode === 'passthrough') return false
    return config.mode !== 'auto' || allTools().length >= AUTO_TOOLS
  }

  function allTools(): readonly Tool[] {
    indexAll()
    return catalogue.tools()
  }

  function pinnedTools(): readonly Tool[] {
    const hasPins = config.pins.length > 0 || config.servers.some(({ alwaysLoad }) => alwaysLoad)
    return hasPins ? allTools().filter(isPinned) : []
  }

  function isPinned({ name }: Tool): boolean {
    const { server, tool } = tools.origins.get(name)!
    return (
      settings.get(server)?.alwaysLoad === true || config.pins.includes(`${server}/${tool.name}`)
    )
  }
}

/** Clients reject a whole list, or their provider a whole request, because of one invalid schema. */
function validSchemas({ inputSchema, outputSchema }: Tool): Omit<McpTool, 'name'> {
  return {
    inputSchema: validSchema(inputSchema),
    ...(outputSchema && { outputSchema: validSchema(outputSchema) }),
  }
}

function byName({ servers }: GatewayConfig): Map<string, ServerConfig> {
  return new Map(servers.map((server) => [server.name, server]))
}
