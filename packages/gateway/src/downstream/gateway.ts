import {
  createToolSearch,
  type Ranker,
  resultFormat,
  type Session,
  type Tool,
  type ToolDefinition,
  type ToolSearch,
} from 'toolsearch'
import type { Approvals } from '../approvals/approvals.ts'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import type { JsonObject, McpTool, RequestOptions, Upstream } from '../upstreams/upstream.ts'
import { type ErrorAnswer, UpstreamError } from '../upstreams/upstream-error.ts'
import { effectOf } from './effect.ts'
import { type CallResult, createLargeResults } from './large-results.ts'
import {
  CALL,
  CALL_BY_EFFECT,
  CHANGED,
  DESCRIBE,
  metaTools,
  READ_RESULT,
  SEARCH,
} from './meta-tools.ts'
import { toolName } from './tool-name.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { createValidateArguments } from './validate-arguments.ts'

/** What agents see, in no protocol's words yet. */
export interface Gateway {
  /** Its catalogue has every tool of every server, under the names that agents see. */
  readonly toolSearch: ToolSearch
  /** Found tools are to join the list of the connection they were found in. */
  readonly isDynamic: boolean
  /**
   * What `tools/list` gives, in an order that stays.
   *
   * @param found names of further tools to be listed after the others
   */
  listTools(found?: Iterable<string>): readonly McpTool[]
  /** The name under which a tool or a prompt of a server is offered. */
  nameOf(server: string, name: string): string
  /**
   * Answers any call, of the gateway's own tools or of a server's. Rejects only with the error of a
   * server, and only if the caller wants it so.
   */
  callTool(params: JsonObject, options?: CallOptions): Promise<CallResult>
  /** Tools whose definitions are others than the approved ones. */
  changedTools(): string[]
  /** Approves a tool as it is now; false if there is none of that name. */
  acceptTool(name: string): boolean
  /** Goes on with other settings. The servers themselves are the business of who has them. */
  configure(config: GatewayConfig): void
  /** The listener runs when `listTools` gives something else than before. */
  onListChanged(listener: () => void): () => void
  close(): void
}

export interface CallOptions extends RequestOptions {
  /** Gets the names of tools that the call has found, best first. */
  readonly onFound?: (names: readonly string[]) => void
  /** Gets the result of a server's tool as it came. */
  readonly onResult?: (server: string, result: JsonObject) => void
  /**
   * Whether to reject with an error that a server answered with. `isDirect` if the call named the
   * server's tool itself. @default never, the error is told as a result
   */
  readonly rejectsWith?: (answer: ErrorAnswer, isDirect: boolean) => boolean
}

export interface GatewayOptions {
  /** Which definitions were approved. @default whatever they are */
  readonly approvals?: Approvals
  /** @default by words */
  readonly ranker?: () => Ranker
}

/** Below so many tools everything is listed in mode `auto`. */
const AUTO_TOOLS = 15
const RESULT = resultFormat({ detail: 'schemas', budget: 4_000 })

export function createGateway(
  initial: GatewayConfig,
  servers: UpstreamSet,
  { approvals, ranker }: GatewayOptions = {},
): Gateway {
  let config = initial
  const toolSearch = createToolSearch({
    activation: 'always',
    loading: 'none',
    validate: createValidateArguments(),
    ...(ranker && { ranker }),
  })
  const { catalogue, sources } = toolSearch
  const session = toolSearch.session('gateway')
  const results = createLargeResults()
  const listeners = new Set<() => void>()
  let settings = byName(config)
  /** Where a tool lives, by the name that agents see. */
  const homes = new Map<string, { server: string; tool: McpTool }>()
  let listed: readonly McpTool[] | undefined
  /** What was last taken of each server: most changes are of its state alone. */
  const taken = new Map<string, { tools: readonly McpTool[]; config: ServerConfig | undefined }>()

  for (const name of servers.upstreams.keys()) take(name)
  const stop = servers.subscribe((name) => change(() => take(name)))

  const gateway: Gateway = {
    toolSearch,
    nameOf,
    get isDynamic() {
      return config.mode === 'dynamic'
    },
    listTools(found = []) {
      listed ??= isSearching()
        ? [...metaTools(config.callTools), ...catalogue.tools().filter(isPinned).map(listing)]
        : catalogue.tools().map(listing)
      const more = [...found].flatMap((name) => catalogue.get(name) ?? [])
      if (more.length === 0) return listed
      const known = new Set(listed.map(({ name }) => name))
      return [...listed, ...more.filter(({ name }) => !known.has(name)).map(listing)]
    },
    async callTool(params, options = {}) {
      const { name } = params
      const given = (params.arguments ?? {}) as JsonObject
      try {
        if (typeof name !== 'string') return failure('A call needs the name of a tool.')
        if (homes.has(name)) return await run({ ...params, name, arguments: given }, options)
        if (name === SEARCH) return await search(given, options)
        if (name === DESCRIBE) return describe(given.names)
        if (name === READ_RESULT) {
          return results.read(
            String(given.id),
            Number(given.offset) || 0,
            config.limits.resultChars,
          )
        }
        if (isCallTool(name))
          return await callThrough(name, { ...params, arguments: given }, options)
        return await run({ ...params, name, arguments: given }, options)
      } catch (error) {
        const answer = error instanceof UpstreamError ? error.answer : undefined
        if (answer && options.rejectsWith?.(answer, homes.has(name as string))) throw error
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
    changedTools: () => [...homes.keys()].filter(isChanged),
    acceptTool(name) {
      const home = homes.get(name)
      if (home) approvals?.accept(home.server, home.tool)
      return home !== undefined
    },
    configure(next) {
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
      listeners.clear()
    },
  }
  return gateway

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
    const mayBeListed = gateway.isDynamic && catalogue.version !== version
    const isSame =
      before === undefined || JSON.stringify(before) === JSON.stringify(gateway.listTools())
    if (isSame && !mayBeListed) return
    for (const listener of listeners) listener()
  }

  /** Brings the catalogue to what a server offers now; false if that is what it offered before. */
  function take(server: string): boolean {
    const source = `mcp:${server}` as const
    const upstream = servers.upstreams.get(server)
    if (upstream) tellState(upstream)
    const before = taken.get(server)
    const own = settings.get(server)
    if (upstream && before?.tools === upstream.tools && before.config === own) return false
    for (const [name, home] of homes) if (home.server === server) homes.delete(name)
    if (upstream === undefined) {
      taken.delete(server)
      catalogue.removeSource(source)
      sources.remove(source)
      return true
    }
    taken.set(server, { tools: upstream.tools, config: own })
    const denied = new Set(own?.deny)
    const tools = upstream.tools.filter((tool) => !denied.has(tool.name))
    const definitions = tools.map((tool) => definition(server, tool))
    catalogue.sync(source, definitions, { problems: 'skip' })
    for (const tool of tools) {
      const name = nameOf(server, tool.name)
      if (catalogue.get(name)?.source === source) homes.set(name, { server, tool })
    }
    approvals?.see(server, tools)
    return true
  }

  function definition(server: string, tool: McpTool): ToolDefinition {
    const hint = settings.get(server)?.hints[tool.name]
    return {
      ...(tool as object),
      name: nameOf(server, tool.name),
      ...(hint !== undefined && { searchHint: hint }),
    }
  }

  function nameOf(server: string, name: string): string {
    return toolName(server, name, settings.get(server)?.prefix)
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
    return config.mode !== 'auto' || catalogue.size >= AUTO_TOOLS
  }

  function isChanged(name: string): boolean {
    const home = homes.get(name)
    return home !== undefined && approvals?.isChanged(home.server, home.tool) === true
  }

  /** What is known of a tool beside its definition. */
  function notes(tool: Tool): JsonObject {
    return {
      ...(config.callTools === 'by-effect' && { effect: effectOf(tool) }),
      ...(isChanged(tool.name) && { [CHANGED]: true }),
    }
  }

  function isPinned(tool: Tool): boolean {
    const { server, tool: original } = homes.get(tool.name)!
    return (
      settings.get(server)?.alwaysLoad === true ||
      config.pins.includes(`${server}/${original.name}`)
    )
  }

  function listing(tool: Tool): McpTool {
    return { ...homes.get(tool.name)!.tool, name: tool.name }
  }

  async function search(given: JsonObject, { onFound }: CallOptions): Promise<CallResult> {
    const { outcome, answer } = await (await session).search(given, RESULT)
    onFound?.(outcome.hits.map(({ tool }) => tool.name))
    const known = outcome.hits.map(({ tool }) => [tool.name, notes(tool)] as const)
    const data = withNotes(answer.data, new Map(known))
    return { content: [text(JSON.stringify(data))], ...(answer.isError && { isError: true }) }
  }

  function describe(names: unknown): CallResult {
    if (!Array.isArray(names)) return failure('"names" must be a list of tool names.')
    const found = names.flatMap((name) => catalogue.get(String(name)) ?? [])
    const missing = names.filter((name) => !catalogue.has(String(name)))
    const tools = found.map((tool) => ({ ...listing(tool), ...notes(tool) }))
    const data = { tools, ...(missing.length > 0 && { missing }) }
    return results.cut({ content: [text(JSON.stringify(data))] }, config.limits.resultChars)
  }

  function isCallTool(name: string): boolean {
    return name === CALL || Object.values(CALL_BY_EFFECT).includes(name)
  }

  async function callThrough(
    through: string,
    params: JsonObject & { arguments: JsonObject },
    options: CallOptions,
  ): Promise<CallResult> {
    const { name, arguments: inner = {} } = params.arguments
    if (typeof name !== 'string') return failure('Give the exact name of a tool as "name".')
    const tool = catalogue.get(name)
    const right = tool && CALL_BY_EFFECT[effectOf(tool)]
    if (tool && config.callTools === 'by-effect' && through !== right) {
      return failure(`"${name}" is ${effectOf(tool)}: call it with ${right}.`)
    }
    return run({ ...params, name, arguments: inner as JsonObject }, options)
  }

  /** Calls a server's tool, unless the call cannot succeed. */
  async function run(
    params: JsonObject & { name: string; arguments: JsonObject },
    options: CallOptions,
  ): Promise<CallResult> {
    if (config.pinDefinitions && isChanged(params.name)) {
      // it may have been accepted since
      await approvals?.refresh()
      if (isChanged(params.name)) {
        return failure(
          `"${params.name}" has changed since it was approved, and is not called before a person ` +
            `has run: toolsearch accept ${params.name}`,
        )
      }
    }
    const answer = await check(await session, params)
    if (answer) return answer
    const { server, tool } = homes.get(params.name)!
    const upstream = servers.upstreams.get(server)!
    const result = await upstream.request('tools/call', { ...params, name: tool.name }, options)
    options.onResult?.(server, result)
    const limits = settings.get(server)?.limits ?? config.limits
    return results.cut(result, limits.resultChars)
  }

  async function check(open: Session, call: { name: string; arguments: JsonObject }) {
    const answer = await open.answer({ name: call.name, arguments: call.arguments })
    return answer && { content: [text(answer.text)], isError: true }
  }
}

function byName({ servers }: GatewayConfig): Map<string, ServerConfig> {
  return new Map(servers.map((server) => [server.name, server]))
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function failure(message: string): CallResult {
  return { content: [text(message)], isError: true }
}

/** Adds to each hit what is known of it, such as with which tool it is to be called. */
function withNotes(data: unknown, notes: ReadonlyMap<string, JsonObject>): unknown {
  const { loaded, ...rest } = data as { loaded?: unknown[] }
  if (!Array.isArray(loaded)) return data
  const found = loaded.map((entry) => {
    const named = (typeof entry === 'string' ? { name: entry } : entry) as { name: string }
    return { ...named, ...notes.get(named.name) }
  })
  return { ...rest, loaded: found }
}
