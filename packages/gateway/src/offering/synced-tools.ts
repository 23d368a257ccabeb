import type { ToolDefinition, ToolSearch } from 'toolsearch'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { McpTool, Upstream } from '../upstreams/upstream.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** Where a tool lives, and how it is called there. */
export interface Home {
  readonly server: string
  readonly tool: McpTool
}

/** The tools of the servers as they were last taken into the catalogue. */
export interface TakenTools {
  /** By the names that agents see. */
  readonly homes: ReadonlyMap<string, Home>
  /** Brings the catalogue to what a server offers now; false if that is what it offered before. */
  take(server: string): boolean
  /** Servers whose tools were kept from the catalogue, and have been accepted since. */
  accepted(): Promise<string[]>
  /** Takes the same tools again, as they are to be seen now. */
  takeAnew(server: string): boolean
}

export interface TakenToolsOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  readonly nameOf: (server: string, tool: string) => string
  readonly settings: (server: string) => ServerConfig | undefined
  /** Whether tools that have changed are kept from the catalogue. */
  readonly isWithholding: () => boolean
}

interface Taken {
  readonly tools: readonly McpTool[]
  readonly config: ServerConfig | undefined
  readonly isWithholding: boolean
  /** Those among the tools that are in no catalogue. */
  readonly withheld: ReadonlySet<McpTool>
}

export function createTakenTools(
  servers: UpstreamSet,
  { toolSearch, approvals, nameOf, settings, isWithholding }: TakenToolsOptions,
): TakenTools {
  const { catalogue, sources } = toolSearch
  const homes = new Map<string, Home>()
  /** By server: most changes are of its state alone. */
  const taken = new Map<string, Taken>()

  function take(server: string): boolean {
    const upstream = servers.upstreams.get(server)
    if (upstream) tellState(upstream)
    const before = taken.get(server)
    const now = { config: settings(server), isWithholding: isWithholding() }
    const isSame = before?.tools === upstream?.tools && before?.config === now.config
    if (upstream && isSame && before?.isWithholding === now.isWithholding) return false
    for (const [name, home] of homes) if (home.server === server) homes.delete(name)
    if (upstream) {
      fill(server, upstream.tools, now)
      return true
    }
    taken.delete(server)
    catalogue.removeSource(`mcp:${server}`)
    sources.remove(`mcp:${server}`)
    return true
  }

  function fill(server: string, all: readonly McpTool[], now: Omit<Taken, 'tools' | 'withheld'>) {
    const source = `mcp:${server}` as const
    const denied = new Set(now.config?.deny)
    const tools = all.filter((tool) => !denied.has(tool.name))
    const isWithheld = (tool: McpTool) => now.isWithholding && approvals?.isChanged(server, tool)
    const withheld = new Set(tools.filter(isWithheld))
    taken.set(server, { ...now, tools: all, withheld })
    const definitions = tools
      .filter((tool) => !withheld.has(tool))
      .map((tool) => definition(server, tool))
    catalogue.sync(source, definitions, { problems: 'skip' })
    for (const tool of tools) {
      const name = nameOf(server, tool.name)
      const isThere = withheld.has(tool)
        ? !catalogue.has(name) && !homes.has(name)
        : catalogue.get(name)?.source === source
      if (isThere) homes.set(name, { server, tool })
    }
    approvals?.see(server, tools)
  }

  function definition(server: string, tool: McpTool): ToolDefinition {
    const hints = settings(server)?.hints ?? {}
    // a tool may be named as what every object has
    const hint = Object.hasOwn(hints, tool.name) ? hints[tool.name] : undefined
    return {
      ...(tool as object),
      name: nameOf(server, tool.name),
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

  return {
    homes,
    take,
    async accepted() {
      const lacking = [...taken].filter(([, { withheld }]) => withheld.size > 0)
      if (lacking.length === 0) return []
      await approvals?.refresh()
      return lacking
        .filter(([server, before]) => taken.get(server) === before)
        .filter(([server, { withheld }]) =>
          [...withheld].some((tool) => !approvals?.isChanged(server, tool)),
        )
        .map(([server]) => server)
    },
    takeAnew(server) {
      taken.delete(server)
      return take(server)
    },
  }
}
