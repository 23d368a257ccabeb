import { type Tool, validSchema } from 'toolsearch'
import { toolPrefix } from '../config/tool-prefix.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'
import { serverDirectory } from './server-directory.ts'
import type { SharedTools } from './shared-tools.ts'
import type { UpstreamSet } from './upstream-set.ts'
import type { ViewConfig } from './view-config.ts'
import type { VisibleTools } from './visible-tools.ts'

/** The list of tools that the callers of one view see. */
export interface ToolListing {
  readonly isDynamic: boolean
  /** Whether the list contains the meta tools instead of all tools. */
  readonly isSearching: boolean
  /** The listed tools in a stable order, followed by the found ones that are not among them. */
  list(found: Iterable<string>): readonly McpTool[]
  /** What `list` last returned, without found tools. Undefined before that. */
  readonly last: readonly McpTool[] | undefined
  /** A tool as agents see it, with valid schemas. */
  definition(tool: Tool): McpTool
  /** Runs the listener when `list` returns something new. */
  onChanged(listener: () => void): () => void
}

/** With fewer tools, mode `auto` lists them all. */
const AUTO_TOOLS = 15

export interface ToolListingOptions {
  readonly tools: VisibleTools
  /** The servers that callers of the view may know. */
  readonly servers: Pick<UpstreamSet, 'upstreams'>
  readonly config: () => ViewConfig
}

export function createToolListing(
  shared: SharedTools,
  { tools, servers, config }: ToolListingOptions,
): ToolListing {
  const listeners = new Set<() => void>()
  /** The last list, and what it was made of. */
  let listed: { readonly of: readonly unknown[]; readonly tools: readonly McpTool[] } | undefined
  let directory: { readonly for: object; readonly text: string } | undefined
  /** The tools that connections may have found, at the last notification. */
  let known: readonly Tool[] = []
  let unsubscribe: (() => void) | undefined

  const listing: ToolListing = {
    get isDynamic() {
      return config().mode === 'dynamic'
    },
    get isSearching() {
      return isSearching()
    },
    list(found) {
      void shared.addAccepted()
      const fixed = fixedList()
      const foundTools = [...found].flatMap((name) => tools.get(name) ?? [])
      if (foundTools.length === 0) return fixed
      const names = new Set(fixed.map(({ name }) => name))
      const added = foundTools.filter(({ name }) => !names.has(name))
      return [...fixed, ...added.map(listing.definition)]
    },
    get last() {
      return listed?.tools
    },
    definition: (tool) => ({
      ...tools.origin(tool.name)!.shown,
      name: tool.name,
      ...(tool.problems.length > 0 && validSchemas(tool)),
    }),
    onChanged(listener) {
      listeners.add(listener)
      // Views come and go with their callers, so a view that nobody listens to must not be kept alive.
      if (!unsubscribe) {
        unsubscribe = tools.onChanged(notify)
        if (listing.isDynamic) known = tools.all()
      }
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        unsubscribe?.()
        unsubscribe = undefined
      }
    },
  }
  return listing

  function notify(hasNewTools: boolean, isConfigured: boolean): void {
    const before = listed?.tools
    // In mode `dynamic`, a changed tool may be listed on a connection that has found it.
    const mayBeListed = listing.isDynamic && hasNewTools && haveToolsChanged()
    if (!mayBeListed && (isReplaced(isConfigured) || isSameAs(before))) return
    for (const listener of listeners) listener()
  }

  /** Callers get another view after the settings changed. Their connections compare its list with this one. */
  function isReplaced(isConfigured: boolean): boolean {
    return isConfigured && !tools.isEverything
  }

  function isSameAs(before: readonly McpTool[] | undefined): boolean {
    return before === undefined || JSON.stringify(before) === JSON.stringify(fixedList())
  }

  /** Whether other tools are visible than before. A change of a hidden tool or of a skill must not be noticed. */
  function haveToolsChanged(): boolean {
    const before = known
    known = tools.all()
    if (known.length !== before.length) return true
    return known.some((tool, at) => tool !== before[at])
  }

  function fixedList(): readonly McpTool[] {
    // Indexing can increase the version.
    if (!isSearching() || hasPins()) shared.indexAll()
    // The states of shared servers are part of the version.
    const of = tools.isEverything
      ? [shared.version]
      : [shared.version, tools.set, tools.isComplete, hasPending()]
    if (!listed || of.some((each, at) => each !== listed!.of[at])) {
      listed = { of, tools: writeList() }
    }
    return listed.tools
  }

  function writeList(): readonly McpTool[] {
    if (isSearching()) return [...searchTools(), ...pinnedTools().map(listing.definition)]
    const all = allTools()
    // Clients that list tools only once can search for those that are still missing.
    const isIncomplete = hasPending() || all.length === 0
    return [...(isIncomplete ? searchTools() : []), ...all.map(listing.definition)]
  }

  function searchTools(): readonly McpTool[] {
    const offer = { config: config(), directory: directoryText() }
    return [...META_TOOLS.values()].flatMap((tool) => tool.definition(offer) ?? [])
  }

  /**
   * Stays the same until the configuration changes, even if servers change their tools: a new text
   * would invalidate the prompt cache of every client.
   */
  function directoryText(): string {
    if (directory?.for !== shared.config) {
      const text = serverDirectory(config().servers, offeredTools)
      directory = { for: shared.config, text }
    }
    return directory.text
  }

  /** Known without indexing them. */
  function offeredTools(server: string): readonly McpTool[] {
    const prefix = `${toolPrefix(server)}__`
    return shared
      .offered(server, servers.upstreams.get(server)?.tools ?? [])
      .filter((origin) => tools.isVisible(origin) && !shared.isWithheld(origin))
      .map(({ name, shown }) => ({
        ...shown,
        name: name.startsWith(prefix) ? name.slice(prefix.length) : name,
      }))
  }

  /** Whether servers are still connecting for the first time. */
  function hasPending(): boolean {
    return [...servers.upstreams.values()].some(({ status }) => status.isPending)
  }

  function isSearching(): boolean {
    const { mode } = config()
    if (mode === 'passthrough') return false
    return mode !== 'auto' || allTools().length >= AUTO_TOOLS
  }

  function allTools(): readonly Tool[] {
    shared.indexAll()
    return tools.all()
  }

  function hasPins(): boolean {
    const { pins, servers } = config()
    return pins.length > 0 || servers.some(({ alwaysLoad }) => alwaysLoad)
  }

  function pinnedTools(): readonly Tool[] {
    return hasPins() ? allTools().filter(isPinned) : []
  }

  function isPinned({ name }: Tool): boolean {
    const { server, tool } = tools.origin(name)!
    return (
      shared.settings(server)?.alwaysLoad === true ||
      config().pins.includes(`${server}/${tool.name}`)
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
