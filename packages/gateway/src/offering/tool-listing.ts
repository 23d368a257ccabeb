import { type Tool, type ToolSearch, validSchema } from 'toolsearch'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { ApprovalState, Approvals } from './approvals/approvals.ts'
import { metaTools, OWN_NAMES } from './meta-tools.ts'
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
  /** A tool as its server defines it, under the name that agents see, with valid schemas. */
  definition(tool: Tool): McpTool
  nameOf(server: string, name: string): string
  /** Adds withheld tools that a person has accepted since, in this process or another. */
  addAccepted(): Promise<void>
  /** Indexes the tools of servers that are still waiting to be indexed. */
  indexAll(): void
  /** Undefined if no server has the tool. Also finds tools that are withheld from models. */
  origin(name: string): ToolOrigin | undefined
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
  const { catalogue } = toolSearch
  const listeners = new Set<() => void>()
  let listed: readonly McpTool[] | undefined
  const nameOf = (server: string, name: string) =>
    toolName(server, name, settings.get(server)?.prefix)
  const tools = createSyncedTools(servers, {
    toolSearch,
    approvals,
    nameOf,
    settings: (server) => settings.get(server),
    isWithheld: (server, tool) => audience === 'model' && mustWait(server, tool),
    policy: () => config.approve,
  })

  setNewWaits(config)

  // Indexing thousands of tools takes a while, and the list of meta tools does not depend on it.
  const pending = new Set(servers.upstreams.keys())
  let timer = setTimeout(indexNext, START_DELAY_MS).unref()
  const unsubscribe = servers.subscribe((name) => {
    if (pending.size === 0 && !isLarge(name)) {
      change(() => tools.sync(name))
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
        ? [...metaTools(config.callTools), ...pinnedTools().map(listing.definition)]
        : allTools().map(listing.definition)
      const foundTools = [...found].flatMap((name) => catalogue.get(name) ?? [])
      if (foundTools.length === 0) return listed
      const names = new Set(listed.map(({ name }) => name))
      const added = foundTools.filter(({ name }) => !names.has(name))
      return [...listed, ...added.map(listing.definition)]
    },
    definition: (tool) => ({
      ...tools.origins.get(tool.name)!.tool,
      name: tool.name,
      ...(tool.problems.length > 0 && validSchemas(tool)),
    }),
    nameOf,
    addAccepted,
    indexAll,
    origin: (name) => tools.origins.get(name),
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
        settings = byName(next)
        for (const name of servers.upstreams.keys()) tools.sync(name)
        return true
      })
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
    change(() => tools.sync(name))
    if (pending.size > 0) timer = setTimeout(indexNext, PAUSE_MS).unref()
  }

  function indexAll(): void {
    for (const name of pending) {
      pending.delete(name)
      change(() => tools.sync(name))
    }
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
    const state = approvals?.stateOf(server, tool)
    if (state === undefined || state === 'approved') return false
    return state === 'changed' ? config.approve !== 'off' : true
  }

  /**
   * People run commands while a gateway runs. Those must not approve the tools that wait there, even
   * if only the command line of the gateway asks for approval.
   */
  function setNewWaits({ approve }: GatewayConfig): void {
    const waits = approve === 'new'
    if (waits || audience === 'model') approvals?.setNewWaits(waits)
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

/**
 * The name under which the gateway offers a server's tool or prompt.
 *
 * @param prefix false to omit the server's prefix, except from names that the gateway reserves
 */
export function toolName(server: string, tool: string, prefix = true): string {
  // Clients accept only these characters in tool names.
  const name = tool.replace(/[^A-Za-z0-9_.-]+/g, '_')
  return prefix || OWN_NAMES.has(name) ? `${toolPrefix(server)}__${name}` : name
}

function byName({ servers }: GatewayConfig): Map<string, ServerConfig> {
  return new Map(servers.map((server) => [server.name, server]))
}
