import type { ToolDefinition, ToolSearch } from 'toolsearch'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** Where a tool lives, and how it is called there. */
export interface ToolOrigin {
  readonly server: string
  readonly tool: McpTool
}

/** The tools of the servers as they were last taken into the catalogue. */
export interface SyncedTools {
  /** By the names that agents see. */
  readonly origins: ReadonlyMap<string, ToolOrigin>
  /** Brings the catalogue to what a server offers now; false if that is what it offered before. */
  sync(server: string): boolean
  /** Servers whose tools were kept from the catalogue, and have been accepted since. */
  accepted(): Promise<string[]>
  /** Takes the same tools again, as they are to be seen now. */
  resync(server: string): boolean
}

export interface SyncedToolsOptions {
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

export function createSyncedTools(
  servers: UpstreamSet,
  { toolSearch, approvals, nameOf, settings, isWithholding }: SyncedToolsOptions,
): SyncedTools {
  const { catalogue, sources } = toolSearch
  const origins = new Map<string, ToolOrigin>()
  /** By server: most changes are of its state alone. */
  const taken = new Map<string, Taken>()

  function sync(server: string): boolean {
    const upstream = servers.upstreams.get(server)
    if (upstream) tellState(upstream)
    const before = taken.get(server)
    const now = { config: settings(server), isWithholding: isWithholding() }
    const isSame = before?.tools === upstream?.tools && before?.config === now.config
    if (upstream && isSame && before?.isWithholding === now.isWithholding) return false
    for (const [name, origin] of origins) if (origin.server === server) origins.delete(name)
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
        ? !catalogue.has(name) && !origins.has(name)
        : catalogue.get(name)?.source === source
      if (isThere) origins.set(name, { server, tool })
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
    origins,
    sync,
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
    resync(server) {
      taken.delete(server)
      return sync(server)
    },
  }
}
