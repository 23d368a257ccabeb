import type { Tool, ToolSearch } from 'toolsearch'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Approvals } from './approvals/approvals.ts'
import { metaTools } from './meta-tools.ts'
import { createSyncedTools, type ToolOrigin } from './synced-tools.ts'
import { toolName } from './tool-name.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** What the gateway offers: the tools of all servers under the names that agents see, and the list. */
export interface ToolListing {
  readonly config: GatewayConfig
  readonly isDynamic: boolean
  settings(server: string): ServerConfig | undefined
  /** What `tools/list` gives, in an order that stays, and after it what was found. */
  list(found: Iterable<string>): readonly McpTool[]
  /** A tool as its server defines it, under the name that agents see. */
  listing(tool: Tool): McpTool
  nameOf(server: string, name: string): string
  /** Takes in what a person has accepted meanwhile. */
  takeAccepted(): Promise<void>
  /** Sees to it that the catalogue has every tool, which it need not have before. */
  complete(): void
  /** Nothing if there is no tool of that name. A tool that models are not shown has one. */
  home(name: string): ToolOrigin | undefined
  /** Whether a tool is another than the approved one. */
  isChanged(name: string): boolean
  changedTools(): string[]
  accept(name: string): boolean
  configure(config: GatewayConfig): void
  onListChanged(listener: () => void): () => void
  close(): void
}

/** Below so many tools everything is listed in mode `auto`. */
const AUTO_TOOLS = 15
/** So many tools of a server take a while to index. */
const LARGE = 200
/** How long a client may take to open a connection before tools are indexed. */
const OPENING_MS = 250
/** Between two servers: time for a client to get an answer and to ask the next thing. */
const PAUSE_MS = 20

export interface ToolListingOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  /** With `pinDefinitions`, only a person is shown what has changed. */
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
    isWithholding: () => config.pinDefinitions && audience === 'model',
  })

  // thousands of tools take a while to index, and a client can have a short list before that
  const waiting = new Set(servers.upstreams.keys())
  let soon = setTimeout(takeNext, OPENING_MS).unref()
  const stop = servers.subscribe((name) => {
    if (waiting.size === 0 && !isLarge(name)) {
      change(() => tools.sync(name))
      return
    }
    if (waiting.size === 0) soon = setTimeout(takeNext, PAUSE_MS).unref()
    waiting.add(name)
  })

  const offer: ToolListing = {
    get config() {
      return config
    },
    get isDynamic() {
      return config.mode === 'dynamic'
    },
    settings: (server) => settings.get(server),
    list(found) {
      void takeAccepted()
      listed ??= isSearching()
        ? [...metaTools(config.callTools), ...pinned().map(offer.listing)]
        : everything().map(offer.listing)
      const more = [...found].flatMap((name) => catalogue.get(name) ?? [])
      if (more.length === 0) return listed
      const known = new Set(listed.map(({ name }) => name))
      return [...listed, ...more.filter(({ name }) => !known.has(name)).map(offer.listing)]
    },
    listing: ({ name }) => ({ ...tools.origins.get(name)!.tool, name }),
    nameOf,
    takeAccepted,
    complete,
    home: (name) => tools.origins.get(name),
    isChanged(name) {
      const home = tools.origins.get(name)
      return home !== undefined && approvals?.isChanged(home.server, home.tool) === true
    },
    changedTools: () => [...tools.origins.keys()].filter(offer.isChanged),
    accept(name) {
      const home = tools.origins.get(name)
      if (!home) return false
      approvals?.accept(home.server, home.tool)
      // what was kept from models has its place now
      if (!catalogue.has(name)) change(() => tools.resync(home.server))
      return true
    },
    configure(next) {
      complete()
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
      stop()
      clearTimeout(soon)
      waiting.clear()
      listeners.clear()
    },
  }
  return offer

  /**
   * Does something that says whether it may matter to the list, and tells who wants to know if the
   * list is another afterwards.
   */
  function change(something: () => boolean): void {
    const before = listed
    const { version } = catalogue
    if (!something()) return
    listed = undefined
    // what was found in a connection may be among what changed
    const mayBeListed = offer.isDynamic && catalogue.version !== version
    const isSame = before === undefined || JSON.stringify(before) === JSON.stringify(offer.list([]))
    if (isSame && !mayBeListed) return
    for (const listener of listeners) listener()
  }

  /** One server after the other, so that what comes in meanwhile need not wait for all of them. */
  function takeNext(): void {
    const [name] = waiting
    if (name === undefined) return
    waiting.delete(name)
    change(() => tools.sync(name))
    if (waiting.size > 0) soon = setTimeout(takeNext, PAUSE_MS).unref()
  }

  function complete(): void {
    for (const name of waiting) {
      waiting.delete(name)
      change(() => tools.sync(name))
    }
  }

  function isLarge(server: string): boolean {
    return (servers.upstreams.get(server)?.tools.length ?? 0) >= LARGE
  }

  async function takeAccepted(): Promise<void> {
    for (const server of await tools.accepted()) change(() => tools.resync(server))
  }

  function isSearching(): boolean {
    if (config.mode === 'passthrough') return false
    return config.mode !== 'auto' || everything().length >= AUTO_TOOLS
  }

  function everything(): readonly Tool[] {
    complete()
    return catalogue.tools()
  }

  function pinned(): readonly Tool[] {
    const hasSome = config.pins.length > 0 || config.servers.some(({ alwaysLoad }) => alwaysLoad)
    return hasSome ? everything().filter(isPinned) : []
  }

  function isPinned({ name }: Tool): boolean {
    const { server, tool } = tools.origins.get(name)!
    return (
      settings.get(server)?.alwaysLoad === true || config.pins.includes(`${server}/${tool.name}`)
    )
  }
}

function byName({ servers }: GatewayConfig): Map<string, ServerConfig> {
  return new Map(servers.map((server) => [server.name, server]))
}
