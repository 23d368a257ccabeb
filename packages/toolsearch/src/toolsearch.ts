import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { createSourceStates, type SourceStates } from './catalogue/source-states.ts'
import type { ToJsonSchema } from './catalogue/standard-schema.ts'
import type { Tool } from './catalogue/tool.ts'
import type { ToolInputs } from './catalogue/tool-input.ts'
import { historyReaders } from './history-readers.ts'
import {
  anything,
  type Check,
  callback,
  check,
  checkOptions,
  number,
} from './options/check-option.ts'
import { unified } from './presets/unified/unified.ts'
import { parseQuery } from './query/parse-query.ts'
import {
  checkExplain,
  checkRanker,
  checkSearch,
  checkSessionId,
  readAccess,
  readSources,
} from './session/check-options.ts'
import { checkPreset, PRESET_OVERRIDES } from './session/check-preset.ts'
import { overridePreset, type Preset, type PresetOverrides } from './session/preset.ts'
import { createSession, type Session } from './session/session.ts'
import { createDivider, type ToolAccess, type ToolDivision } from './session/tool-division.ts'
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
  /**
   * Tools in any shape: our own, MCP's, OpenAI's, Anthropic's, or a `ToolSet` of the AI SDK.
   * @default []
   */
  tools?: ToolInputs
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
  /**
   * Converts schemas of libraries without JSON Schema support of their own, such as Valibot.
   * @default none
   */
  toJsonSchema?: ToJsonSchema
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
  /** Searches all tools without a session. Loads nothing. */
  search(query: string, options?: SearchOptions): SearchOutcome
  /** Explains why a search returns a tool, or why it does not. Meant for people, not for models. */
  explain(query: string, name: string, options?: ExplainOptions): ToolExplanation
  /** Opens a new conversation or continues a stored one. */
  session(id: string, options?: SessionOptions): Promise<Session>
  /** Opens a conversation from the result of `session.snapshot()`. @throws InvalidSnapshotError */
  restore(snapshot: unknown, options?: SessionOptions): Promise<Session>
}

export interface SearchOptions extends SearchReasons {
  /**
   * How many tools to return: a whole number, 0 or more. Not clamped to the preset's `maxLimit`, which
   * applies to models.
   * @default the preset's default limit
   */
  readonly limit?: number
}

export interface ExplainOptions extends Pick<SessionOptions, 'visible'> {
  limit?: number
}

export interface SessionOptions {
  /**
   * The tools this caller may use. Other tools are never shown, counted or named. An explicit
   * `undefined` or `null` is an error, so that a missing list cannot open every tool.
   * @default every tool
   */
  visible?: NameList | ((tool: Tool) => boolean)
  /**
   * The sources whose connection problems this caller may see.
   * @default every source, or none if `visible` is set
   */
  visibleSources?: NameList
}

/** An array, a set or another iterable of names, but not a string. */
type NameList = Iterable<string> & object

/**
 * Creates a tool search from a preset, with any of its settings overridden.
 *
 * @throws InvalidToolError, DuplicateToolError if one of `tools` cannot be added
 * @throws InvalidOptionError
 */
export function createToolSearch(options: ToolSearchOptions = {}): ToolSearch {
  checkOptions(options, 'options', OPTIONS)
  const {
    tools = [],
    contextWindow = 200_000,
    countTokens = estimateTokens,
    validate,
    toJsonSchema,
    now,
  } = options
  const preset = overridePreset(options.preset ?? unified, options)
  const store = options.store ?? createMemoryStore(now ? { now } : {})
  const catalogue = createCatalogue([], toJsonSchema && { toJsonSchema })
  const sources = createSourceStates()
  const ranker = preset.ranker()
  checkRanker(ranker)
  const guards = createSearchGuards({ rateLimit: preset.rateLimit, ...(now && { now }) })
  const divideOptions = {
    catalogue,
    policy: preset.deferral,
    searchToolName: preset.searchTool.name,
    countTokens,
    neverDefer: preset.activation === 'never',
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
    search(text, searchOptions = {}) {
      checkSearch(text, searchOptions)
      const { limit = preset.selection.defaultLimit, ...reasons } = searchOptions
      const query = parseQuery(text, preset.syntax)
      return runSearch({ query, text, limit, ...reasons }, viewWithoutSession(), preset)
    },
    explain(text, name, explainOptions = {}) {
      checkExplain(text, name, explainOptions)
      const { limit = preset.selection.defaultLimit } = explainOptions
      const access = readAccess(explainOptions)
      const view = viewWithoutSession(access && dividerFor(access)())
      const tool = view.get(name)
      if (tool === undefined) return explainMissingTool(name, catalogue.has(name), view)
      const query = parseQuery(text, preset.syntax)
      // the tool can have any rank, so keep the whole ranking
      const extra = Number.POSITIVE_INFINITY
      const trace = traceSearch({ query, text, limit }, view, preset, extra)
      return explainTool(tool, trace, view, preset)
    },
    async session(id, sessionOptions = {}) {
      checkSessionId(id)
      return open(id, sessionOptions)
    },
    async restore(json, sessionOptions = {}) {
      const { id, record } = readSnapshot(json)
      checkOptions(sessionOptions, 'options', SESSION_OPTIONS)
      await store.write(id, record)
      return open(id, sessionOptions)
    },
  }

  function dividerFor(access: ToolAccess | undefined): () => ToolDivision {
    return access ? createDivider({ ...divideOptions, access }) : divideAll
  }

  /** Nothing is hidden and nothing is loaded. */
  function viewWithoutSession(requested?: ToolDivision): SearchView {
    // divide only if a tool must be left out, because it is slow after a change
    const hasConflict = catalogue.has(preset.searchTool.name)
    const division = requested ?? (hasConflict ? divideAll() : undefined)
    const tools = () => division?.visible ?? catalogue.tools()
    return {
      ranker,
      get: division?.get ?? catalogue.get,
      ...(division && { isVisible: division.isVisible }),
      tools,
      status: () => 'found',
      notReady: sources.notReady,
      deferrable: () => tools().length,
      remainingAfter: () => tools().length,
    }
  }

  async function open(id: string, sessionOptions: SessionOptions): Promise<Session> {
    checkOptions(sessionOptions, 'options', SESSION_OPTIONS)
    const access = readAccess(sessionOptions)
    const allowedSources = readSources(sessionOptions)
    return createSession({
      preset,
      catalogue,
      ranker,
      ledger: await openLedger(store, id, preset.loading),
      divide: dividerFor(access),
      divideWithin: (names) => dividerFor(restrictTo(names, access)),
      notReady: () =>
        sources
          .notReady()
          .filter(({ source }) => (allowedSources ? allowedSources.has(source) : !access)),
      guards,
      countTokens,
      contextWindow,
      validate,
      historyReaders,
    })
  }
}

const EVENTS = { onLoaded: callback, onSearch: callback, onCall: callback, onRemoved: callback }

const OPTIONS = {
  ...PRESET_OVERRIDES,
  ...EVENTS,
  tools: check(
    (value) => typeof value === 'object' && value !== null,
    'use an array of tools, or an object whose keys are their names',
  ),
  preset: checkPreset,
  contextWindow: number(1),
  store: check(
    (value) => typeof (value as SessionStore | null)?.read === 'function',
    'use a store, such as createMemoryStore()',
  ),
  countTokens: callback,
  validate: callback,
  toJsonSchema: callback,
  now: callback,
} satisfies Record<keyof ToolSearchOptions, Check>

const SESSION_OPTIONS = {
  ...EVENTS,
  // checked when they are read
  visible: anything,
  visibleSources: anything,
} satisfies Record<keyof SessionOptions, Check>

/**
 * Restricts access to tools with these names. Names that were allowed before are still not secret, so
 * a tool that is no longer passed is announced as removed.
 */
function restrictTo(
  names: ReadonlySet<string>,
  { isAllowed, isAllowedName }: ToolAccess = { isAllowed: () => true, isAllowedName: () => true },
): ToolAccess {
  return {
    isAllowed: (tool) => names.has(tool.name) && isAllowed(tool),
    ...(isAllowedName && { isAllowedName }),
  }
}
