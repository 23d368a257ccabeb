import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { createSourceStates, type SourceStates } from './catalogue/source-states.ts'
import type { Tool, ToolDefinition } from './catalogue/tool.ts'
import { checkActivation } from './policy/activation.ts'
import { overridePreset, type PresetOverrides } from './presets/override-preset.ts'
import type { Preset } from './presets/preset.ts'
import { unified } from './presets/unified/unified.ts'
import { parseQuery } from './query/parse-query.ts'
import { createSession, type Session } from './session/session.ts'
import { type Allowance, createDivider, type ToolDivision } from './session/tool-division.ts'
import { openLedger } from './stores/ledger.ts'
import { createMemoryStore } from './stores/memory-store.ts'
import { readSnapshot } from './stores/session-snapshot.ts'
import type { SessionStore } from './stores/session-store.ts'
import { type CountTokens, estimateTokens } from './tokens/estimate-tokens.ts'
import type { ValidateArguments } from './tool-search/check-arguments.ts'
import {
  explainMissingTool,
  explainTool,
  type ToolExplanation,
} from './tool-search/explain-tool.ts'
import { runSearch, type SearchReasons, traceSearch } from './tool-search/run-search.ts'
import { createSearchGuards } from './tool-search/search-guards.ts'
import type { SearchOutcome } from './tool-search/search-outcome.ts'
import type { SearchView } from './tool-search/search-view.ts'

export interface ToolSearchOptions extends PresetOverrides {
  /** @default [] */
  tools?: readonly ToolDefinition[]
  /** @default unified */
  preset?: Preset
  /**
   * Tokens the model can read, for activation by share.
   * @default 200_000
   */
  contextWindow?: number
  /** @default createMemoryStore() */
  store?: SessionStore
  /** @default estimateTokens */
  countTokens?: CountTokens
  /** Checks a call's arguments. Without one, required keys and first-level types are checked. */
  validate?: ValidateArguments
  /** @default Date.now */
  now?: () => number
}

/** The tools of one program, and how they are kept one search away. */
export interface ToolSearch {
  /** Add, replace and remove tools here at any time. */
  readonly catalogue: Catalogue
  /** Tell here which servers are connecting, failed or need a sign-in. */
  readonly sources: SourceStates
  readonly preset: Preset
  /** Searches all tools without a session. Loads nothing. */
  search(query: string, options?: SearchOptions): SearchOutcome
  /** Explains why a search returns a tool, or why it does not. Meant for people, not for models. */
  explain(query: string, name: string, options?: ExplainOptions): ToolExplanation
  /** Opens a conversation, or goes on with one the store knows. */
  session(id: string, options?: SessionOptions): Promise<Session>
  /** Opens a conversation from what `session.snapshot()` gave. @throws InvalidSnapshotError */
  restore(snapshot: unknown, options?: SessionOptions): Promise<Session>
}

export interface SearchOptions extends SearchReasons {
  /** @default the preset's default limit */
  readonly limit?: number
}

export interface ExplainOptions extends Pick<SessionOptions, 'visible'> {
  limit?: number
}

export interface SessionOptions {
  /**
   * The tools this caller may use: no other is shown, counted or named to it.
   * @default every tool
   */
  visible?: Iterable<string> | ((tool: Tool) => boolean)
  /**
   * The sources whose troubles may be named to this caller.
   * @default every source, or none when `visible` is given
   */
  visibleSources?: Iterable<string>
}

/**
 * @throws InvalidToolError, DuplicateToolError when `tools` are not all acceptable
 * @throws InvalidActivationError
 */
export function createToolSearch(options: ToolSearchOptions = {}): ToolSearch {
  const {
    tools = [],
    contextWindow = 200_000,
    countTokens = estimateTokens,
    validate,
    now,
  } = options
  const preset = overridePreset(options.preset ?? unified, options)
  checkActivation(preset.activation)
  const store = options.store ?? createMemoryStore(now ? { now } : {})
  const catalogue = createCatalogue()
  const sources = createSourceStates()
  const ranker = preset.ranker()
  const guards = createSearchGuards({ rateLimit: preset.rateLimit, ...(now && { now }) })
  const dividing = {
    catalogue,
    policy: preset.deferral,
    searchToolName: preset.searchTool.name,
    countTokens,
    isOff: preset.activation === 'never',
  }
  const divideAll = createDivider(dividing)

  catalogue.subscribe(({ added, replaced, removed }) => {
    for (const tool of removed) ranker.delete(tool.name)
    for (const tool of [...replaced, ...added]) ranker.set(tool)
  })
  catalogue.add(tools)

  return {
    catalogue,
    sources,
    preset,
    search(text, { limit = preset.selection.defaultLimit, ...reasons } = {}) {
      const query = parseQuery(text, preset.syntax)
      return runSearch({ query, text, limit, ...reasons }, bareView(), preset)
    },
    explain(text, name, { limit = preset.selection.defaultLimit, visible } = {}) {
      const view = bareView(visible && dividerFor(visible)())
      const tool = view.get(name)
      if (tool === undefined) return explainMissingTool(name, catalogue.has(name), view)
      const query = parseQuery(text, preset.syntax)
      // Any rank is possible, so the whole ranking is needed.
      const depth = Number.POSITIVE_INFINITY
      const trace = traceSearch({ query, text, limit }, view, preset, depth)
      return explainTool(tool, trace, view, preset)
    },
    async session(id, access = {}) {
      return open(id, access)
    },
    async restore(json, access = {}) {
      const { id, record } = readSnapshot(json)
      await store.write(id, record)
      return open(id, access)
    },
  }

  function dividerFor(visible: SessionOptions['visible']): () => ToolDivision {
    return visible ? createDivider({ ...dividing, allowance: allowanceOf(visible) }) : divideAll
  }

  /** A view without a session: nothing is hidden and nothing is loaded. */
  function bareView(division?: ToolDivision): SearchView {
    const shadow = preset.searchTool.name
    // dividing takes time after each change, and without an allow-list there is nothing to divide
    const whole = division ?? (catalogue.has(shadow) ? divideAll() : undefined)
    const tools = () => whole?.visible ?? catalogue.tools()
    return {
      ranker,
      get: whole?.get ?? catalogue.get,
      ...(whole && { isVisible: whole.isVisible }),
      tools,
      status: () => 'found',
      notReady: sources.notReady,
      deferrable: () => tools().length,
      remainingAfter: () => tools().length,
    }
  }

  async function open(id: string, { visible, visibleSources }: SessionOptions): Promise<Session> {
    const named = visibleSources && new Set<string>(visibleSources)
    return createSession({
      preset,
      catalogue,
      ranker,
      ledger: await openLedger(store, id, preset.loading),
      divide: dividerFor(visible),
      divideWithin: (names) =>
        createDivider({ ...dividing, allowance: narrowed(names, visible && allowanceOf(visible)) }),
      notReady: () =>
        sources.notReady().filter(({ source }) => (named ? named.has(source) : !visible)),
      guards,
      countTokens,
      contextWindow,
      validate,
    })
  }
}

function allowanceOf(visible: NonNullable<SessionOptions['visible']>): Allowance {
  if (typeof visible === 'function') return { isAllowed: visible }
  const names = new Set(visible)
  return { isAllowed: (tool) => names.has(tool.name), isAllowedName: (name) => names.has(name) }
}

/** What an allowance allows, of these names. One that it allows is no secret when it is gone. */
function narrowed(
  names: ReadonlySet<string>,
  { isAllowed, isAllowedName }: Allowance = { isAllowed: () => true, isAllowedName: () => true },
): Allowance {
  return {
    isAllowed: (tool) => names.has(tool.name) && isAllowed(tool),
    ...(isAllowedName && { isAllowedName }),
  }
}
