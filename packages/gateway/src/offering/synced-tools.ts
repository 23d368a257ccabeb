import type { ToolDefinition, ToolSearch } from 'toolsearch'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The server that has a tool, and the tool as that server defines it. */
export interface ToolOrigin {
  readonly server: string
  readonly tool: McpTool
}

/** Keeps the catalogue in sync with the tools of the servers. */
export interface SyncedTools {
  /**
   * By the name that agents see. Includes tools that are withheld from the catalogue because their
   * definition changed.
   */
  readonly origins: ReadonlyMap<string, ToolOrigin>
  /** Updates the catalogue with a server's current tools. Returns false if nothing changed. */
  sync(server: string): boolean
  /** Like `sync`, even if the server's tools are the same: approvals may have changed. */
  resync(server: string): boolean
  /** Whether any tool is withheld. */
  readonly hasWithheld: boolean
  /** Servers whose withheld tools are different by now, because people have decided about them. */
  outdatedServers(): string[]
}

export interface SyncedToolsOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  readonly nameOf: (server: string, tool: string) => string
  readonly settings: (server: string) => ServerConfig | undefined
  /** Whether a tool is withheld from the catalogue until a person approves it. */
  readonly isWithheld: (server: string, tool: McpTool) => boolean
  /** Which tools `isWithheld` withholds: another value if the rule changes. */
  readonly policy: () => string
}

interface SyncedServer {
  readonly tools: readonly McpTool[]
  readonly config: ServerConfig | undefined
  readonly policy: string
  readonly withheld: ReadonlySet<McpTool>
}

export function createSyncedTools(
  servers: UpstreamSet,
  { toolSearch, approvals, nameOf, settings, isWithheld, policy }: SyncedToolsOptions,
): SyncedTools {
  const { catalogue, sources } = toolSearch
  const origins = new Map<string, ToolOrigin>()
  /** What each server was last synced with, to skip changes that affect only its status. */
  const synced = new Map<string, SyncedServer>()

  function sync(server: string): boolean {
    const upstream = servers.upstreams.get(server)
    if (upstream) setSourceState(upstream)
    const before = synced.get(server)
    const now = { config: settings(server), policy: policy() }
    const isSame = before?.tools === upstream?.tools && before?.config === now.config
    if (upstream && isSame && before?.policy === now.policy) return false
    for (const [name, origin] of origins) if (origin.server === server) origins.delete(name)
    if (upstream) {
      addTools(server, upstream.tools, now)
      return true
    }
    synced.delete(server)
    catalogue.removeSource(`mcp:${server}`)
    sources.remove(`mcp:${server}`)
    return true
  }

  function addTools(
    server: string,
    all: readonly McpTool[],
    now: Omit<SyncedServer, 'tools' | 'withheld'>,
  ): void {
    const source = `mcp:${server}` as const
    const denied = new Set(now.config?.deny)
    const tools = all.filter((tool) => !denied.has(tool.name))
    const withheld = new Set(tools.filter((tool) => isWithheld(server, tool)))
    synced.set(server, { ...now, tools: all, withheld })
    const definitions = tools
      .filter((tool) => !withheld.has(tool))
      .map((tool) => definition(server, tool))
    catalogue.sync(source, definitions, { problems: 'skip' })
    for (const tool of tools) {
      const name = nameOf(server, tool.name)
      // If several servers have a tool of this name, only the one in the catalogue counts.
      const ownsName = withheld.has(tool)
        ? !catalogue.has(name) && !origins.has(name)
        : catalogue.get(name)?.source === source
      if (ownsName) origins.set(name, { server, tool })
    }
    approvals?.observe(server, tools)
  }

  function definition(server: string, tool: McpTool): ToolDefinition {
    const hints = settings(server)?.hints ?? {}
    // A tool may have the name of an inherited property, such as "constructor".
    const hint = Object.hasOwn(hints, tool.name) ? hints[tool.name] : undefined
    return {
      ...(tool as object),
      name: nameOf(server, tool.name),
      // Which tools are listed without a search is decided here, not by `anthropic/alwaysLoad` of the
      // server: a search leaves out tools that are always loaded.
      loading: 'auto',
      ...(hint !== undefined && { searchHint: hint }),
    }
  }

  function setSourceState({ name, status }: Upstream): void {
    const { state, detail } = status
    sources.set({
      source: `mcp:${name}`,
      // An idle server starts on first use, so its tools are available.
      state: state === 'idle' ? 'ready' : state,
      ...(detail !== undefined && { detail }),
    })
  }

  return {
    origins,
    sync,
    resync(server) {
      synced.delete(server)
      return sync(server)
    },
    get hasWithheld() {
      return [...synced.values()].some(({ withheld }) => withheld.size > 0)
    },
    outdatedServers: () =>
      [...synced]
        .filter(([server, { tools, withheld }]) =>
          tools.some((tool) => {
            const origin = origins.get(nameOf(server, tool.name))
            return origin?.tool === tool && withheld.has(tool) !== isWithheld(server, tool)
          }),
        )
        .map(([server]) => server),
  }
}
