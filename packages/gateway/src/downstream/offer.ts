import type { Tool, ToolDefinition, ToolSearch } from 'toolsearch'
import type { Approvals } from '../approvals/approvals.ts'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import type { McpTool, Upstream } from '../upstreams/upstream.ts'
import { metaTools } from './meta-tools.ts'
import { toolName } from './tool-name.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** Where a tool lives, and how it is called there. */
export interface Home {
  readonly server: string
  readonly tool: McpTool
}

/** What the gateway offers: the tools of all servers under the names that agents see, and the list. */
export interface Offer {
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
  home(name: string): Home | undefined
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
/** How long a client may take to open a connection before tools are indexed. */
const OPENING_MS = 250

export interface OfferOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  /** With `pinDefinitions`, only a person is shown what has changed. */
  readonly audience: 'model' | 'person'
}

interface Taken {
  readonly tools: readonly McpTool[]
  readonly config: ServerConfig | undefined
  readonly isWithholding: boolean
  /** Those among the tools that are in no catalogue. */
  readonly withheld: ReadonlySet<McpTool>
}

export function createOffer(
  initial: GatewayConfig,
  servers: UpstreamSet,
  { toolSearch, approvals, audience }: OfferOptions,
): Offer {
  let config = initial
  let settings = byName(config)
  const { catalogue, sources } = toolSearch
  const listeners = new Set<() => void>()
  const homes = new Map<string, Home>()
  let listed: readonly McpTool[] | undefined
  /** What was last taken of each server: most changes are of its state alone. */
  const taken = new Map<string, Taken>()

  // thousands of tools take a while to index, and a client can have a short list before that
  const waiting = new Set(servers.upstreams.keys())
  let soon: NodeJS.Timeout | NodeJS.Immediate = setTimeout(takeNext, OPENING_MS).unref()
  const stop = servers.subscribe((name) => {
    // its turn comes, and nothing that was told so far depends on it
    if (waiting.size > 0) waiting.add(name)
    else change(() => take(name))
  })

  const offer: Offer = {
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
    listing: ({ name }) => ({ ...homes.get(name)!.tool, name }),
    nameOf: (server, name) => toolName(server, name, settings.get(server)?.prefix),
    takeAccepted,
    complete,
    home: (name) => homes.get(name),
    isChanged(name) {
      const home = homes.get(name)
      return home !== undefined && approvals?.isChanged(home.server, home.tool) === true
    },
    changedTools: () => [...homes.keys()].filter(offer.isChanged),
    accept(name) {
      const home = homes.get(name)
      if (home) approvals?.accept(home.server, home.tool)
      return home !== undefined
    },
    configure(next) {
      complete()
      change(() => {
        config = next
        settings = byName(next)
        for (const name of servers.upstreams.keys()) take(name)
        return true
      })
    },
    onListChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      stop()
      clearTimeout(soon as NodeJS.Timeout)
      clearImmediate(soon as NodeJS.Immediate)
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
    take(name)
    soon = setImmediate(takeNext)
  }

  function complete(): void {
    for (const name of waiting) {
      waiting.delete(name)
      take(name)
    }
  }

  /** Brings the catalogue to what a server offers now; false if that is what it offered before. */
  function take(server: string): boolean {
    const source = `mcp:${server}` as const
    const upstream = servers.upstreams.get(server)
    if (upstream) tellState(upstream)
    const before = taken.get(server)
    const own = settings.get(server)
    const isWithholding = config.pinDefinitions && audience === 'model'
    const isSame = before?.tools === upstream?.tools && before?.config === own
    if (upstream && isSame && before?.isWithholding === isWithholding) return false
    for (const [name, home] of homes) if (home.server === server) homes.delete(name)
    if (upstream === undefined) {
      taken.delete(server)
      catalogue.removeSource(source)
      sources.remove(source)
      return true
    }
    const denied = new Set(own?.deny)
    const tools = upstream.tools.filter((tool) => !denied.has(tool.name))
    const isWithheld = (tool: McpTool) => isWithholding && approvals?.isChanged(server, tool)
    const withheld = new Set(tools.filter(isWithheld))
    taken.set(server, { tools: upstream.tools, config: own, isWithholding, withheld })
    const definitions = tools
      .filter((tool) => !withheld.has(tool))
      .map((tool) => definition(server, tool))
    catalogue.sync(source, definitions, { problems: 'skip' })
    for (const tool of tools) {
      const name = offer.nameOf(server, tool.name)
      const isThere = withheld.has(tool)
        ? !catalogue.has(name) && !homes.has(name)
        : catalogue.get(name)?.source === source
      if (isThere) homes.set(name, { server, tool })
    }
    approvals?.see(server, tools)
    return true
  }

  async function takeAccepted(): Promise<void> {
    const lacking = [...taken].filter(([, { withheld }]) => withheld.size > 0)
    if (lacking.length === 0) return
    await approvals?.refresh()
    for (const [server, before] of lacking) {
      const isAccepted = [...before.withheld].some((tool) => !approvals?.isChanged(server, tool))
      if (!isAccepted || taken.get(server) !== before) continue
      change(() => {
        taken.delete(server)
        return take(server)
      })
    }
  }

  function definition(server: string, tool: McpTool): ToolDefinition {
    const hint = settings.get(server)?.hints[tool.name]
    return {
      ...(tool as object),
      name: offer.nameOf(server, tool.name),
      ...(hint !== undefined && { searchHint: hint }),
    }
  }

  function tellState({ name, status }: Upstream): void {
    const { state, detail } = status
    sources.set({
      source: `mcp:${name}`,
      // a server that starts when it is needed is as good as there
      state: state === 'idle' ? 'ready' : state,
      ...(detail !== undefined && { detail }),
    })
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
    const { server, tool } = homes.get(name)!
    return (
      settings.get(server)?.alwaysLoad === true || config.pins.includes(`${server}/${tool.name}`)
    )
  }
}

function byName({ servers }: GatewayConfig): Map<string, ServerConfig> {
  return new Map(servers.map((server) => [server.name, server]))
}
