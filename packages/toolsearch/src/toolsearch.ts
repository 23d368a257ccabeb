import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { createSourceStates, type SourceStates } from './catalogue/source-states.ts'
import type { Tool, ToolDefinition } from './catalogue/tool.ts'
import { checkActivation } from './policy/activation.ts'
import { unified } from './presets/unified/unified.ts'
import { overridePreset, type Preset, type PresetOverrides } from './session/preset.ts'
import { createSession, type Session } from './session/session.ts'
import { type Allowance, createDivider, type ToolDivision } from './session/tool-division.ts'
import { openLedger } from './stores/ledger.ts'
import { createMemoryStore } from './stores/memory-store.ts'
import { readSnapshot } from './stores/session-snapshot.ts'
import type { SessionStore } from './stores/session-store.ts'
import { type CountTokens, estimateTokens } from './tokens/estimate-tokens.ts'
import type { ValidateArguments } from './tool-search/check-arguments.ts'
import { explainMisses, explainTool, type ToolExplanation } from './tool-search/explain-tool.ts'
import { runSearch } from './tool-search/run-search.ts'
import { createSearchGuards } from './tool-search/search-guards.ts'
import type { SearchOutcome } from './tool-search/search-outcome.ts'
import type { SearchView } from './tool-search/search-view.ts'

export interface ToolSearchOptions extends PresetOverrides {
  /** @default [] */
  tools?: readonly ToolDefinition[]
  /** @default unified */
  preset?: Preset
  /**
   * The model's context window in tokens, for activation by share.
   * @default 200_000
   */
  contextWindow?: number
  /** @default createMemoryStore() */
  store?: SessionStore
  /** @default estimateTokens */
  countTokens?: CountTokens
  /** Validates a call's arguments. @default checks required properties and top-level types */
  validate?: ValidateArguments
  /** @default Date.now */
  now?: () => number
}

/** A catalogue of tools, and the search over it. */
export interface ToolSearch {
  /** Add, replace and remove tools at any time. */
  readonly catalogue: Catalogue
  /** Report here which servers are connecting, failed or need sign-in. */
  readonly sources: SourceStates
  readonly preset: Preset
  /** The bare search over all tools: loads nothing. */
  search(query: string, options?: SearchOptions): SearchOutcome
  /** Why a search gives a tool, or why it does not. For the person who asks, not for the model. */
  explain(query: string, name: string, options?: ExplainOptions): ToolExplanation
  /** The best of what a search by words does not give, and why not: what just missed. */
  nearMisses(query: string, options?: NearMissOptions): readonly ToolExplanation[]
  /** Opens a new conversation or continues a stored one. */
  session(id: string, options?: SessionOptions): Promise<Session>
  /** Opens a conversation from the result of `session.snapshot()`. @throws InvalidSnapshotError */
  restore(snapshot: unknown, options?: SessionOptions): Promise<Session>
}

export interface SearchOptions {
  limit?: number
  /** Adds to each hit what its score is made of. */
  explain?: boolean
}

export interface ExplainOptions extends Pick<SessionOptions, 'visible'> {
  limit?: number
}

export interface NearMissOptions {
  limit?: number
  /**
   * How many to tell of.
   * @default 5
   */
  count?: number
}

export interface SessionOptions {
  /**
   * The tools this caller may use. Other tools are never shown, counted or named.
   * @default every tool
   */
  visible?: Iterable<string> | ((tool: Tool) => boolean)
  /**
   * The sources whose connection problems this caller may see.
   * @default every source, or none if `visible` is set
   */
  visibleSources?: Iterable<string>
}

/**
 * Creates a tool search from a preset, with any of its settings overridden.
 *
 * @throws InvalidToolError, DuplicateToolError if one of `tools` cannot be added
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
  const divideOptions = {
    catalogue,
    policy: preset.deferral,
    searchToolName: preset.searchTool.name,
    countTokens,
    isOff: preset.activation === 'never',
  }
  const divideAll = createDivider(divideOptions)

  catalogue.subscribe(({ added, replaced, removed }) => {
    for (const tool of removed) ranker.delete(tool.name)
    for (const tool of [...replaced, ...added]) ranker.set(tool)
  })
  catalogue.add(tools)

  return {
    catalogue,
    sources,
    preset,
    search(query, { limit = preset.selection.defaultLimit, explain = false } = {}) {
      return runSearch({ query, limit, explain }, bareView(), preset)
    },
    explain(query, name, { limit = preset.selection.defaultLimit, visible } = {}) {
      const request = { query, limit, name, exists: catalogue.has(name) }
      return explainTool(request, bareView(visible && dividerFor(visible)()), preset)
    },
    nearMisses(query, { limit = preset.selection.defaultLimit, count = 5 } = {}) {
      return explainMisses({ query, limit, count }, bareView(), preset)
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
    return visible
      ? createDivider({ ...divideOptions, allowance: allowanceOf(visible) })
      : divideAll
  }

  /** A view without a session: nothing is hidden and nothing is loaded. */
  function bareView(requested?: ToolDivision): SearchView {
    // dividing takes time after each change, and is only needed to leave out tools
    const hasConflict = catalogue.has(preset.searchTool.name)
    const division = requested ?? (hasConflict ? divideAll() : undefined)
    const tools = () => division?.visible ?? catalogue.tools()
    return {
      ranker,
      get: division?.get ?? catalogue.get,
      isVisible: division?.isVisible ?? (() => true),
      tools,
      status: () => 'found',
      notReady: sources.notReady,
      deferrable: () => tools().length,
      remainingAfter: () => tools().length,
    }
  }

  async function open(id: string, { visible, visibleSources }: SessionOptions): Promise<Session> {
    const allowedSources = visibleSources && new Set<string>(visibleSources)
    return createSession({
      preset,
      catalogue,
      ranker,
      ledger: await openLedger(store, id, preset.loading),
      divide: dividerFor(visible),
      divideWithin: (names) =>
        createDivider({
          ...divideOptions,
          allowance: restrictTo(names, visible && allowanceOf(visible)),
        }),
      notReady: () =>
        sources
          .notReady()
          .filter(({ source }) => (allowedSources ? allowedSources.has(source) : !visible)),
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

/** Restricts an allowance to these names. Names that it allows are not secret once removed. */
function restrictTo(
  names: ReadonlySet<string>,
  { isAllowed, isAllowedName }: Allowance = { isAllowed: () => true, isAllowedName: () => true },
): Allowance {
  return {
    isAllowed: (tool) => names.has(tool.name) && isAllowed(tool),
    ...(isAllowedName && { isAllowedName }),
  }
}
