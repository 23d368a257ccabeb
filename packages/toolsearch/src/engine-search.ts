import type { SourceStates } from './catalogue/source-states.ts'
import type { ExecuteContext, Tool } from './catalogue/tool.ts'
import type { ToolInputs } from './catalogue/tool-input.ts'
import type { CandidateEngine, EngineScope } from './engines/candidate-engine.ts'
import { createEngineTools, type EngineTools } from './engines/engine-tools.ts'
import { executableTools } from './engines/executable-tools.ts'
import { createToolIndex } from './engines/tool-index.ts'
import { checkLearning } from './learning/check-learning.ts'
import type { Learning } from './learning/learning.ts'
import {
  anything,
  type Check,
  callback,
  check,
  checkOptions,
  count,
  readNames,
  text,
} from './options/check-option.ts'
import { parseQuery } from './query/parse-query.ts'
import type { Query } from './query/query.ts'
import {
  checkTools,
  createSearchSetup,
  EVENT_CHECKS,
  SETUP_CHECKS,
  type SetupOptions,
} from './search-setup.ts'
import { checkExplain, checkSearch, checkSessionId, readAccess } from './session/check-options.ts'
import { eventsIn, type ToolSearchEvents } from './session/events.ts'
import type { Preset } from './session/preset.ts'
import type { Session } from './session/session.ts'
import type { LearnedRanking } from './session/session-search.ts'
import type { ToolAccess } from './session/tool-division.ts'
import type { SessionRecord } from './stores/session-record.ts'
import { MissingAccessError, readSnapshot } from './stores/session-snapshot.ts'
import { explainMissingTool, type ToolExplanation } from './tool-search/explain-tool.ts'
import type { SearchReasons, SearchRequest } from './tool-search/finders/finder.ts'
import { toolsNamed } from './tool-search/name-index.ts'
import type { Search } from './tool-search/run-search.ts'
import type { SearchOutcome } from './tool-search/search-outcome.ts'
import type { SearchView } from './tool-search/search-view.ts'

export interface EngineSearchOptions extends SetupOptions {
  /** Keeps the tools and finds candidates: `postgresEngine()` or `createMemoryEngine()`. */
  engine: CandidateEngine
  /**
   * How many candidates a search ranks.
   * @default 500
   */
  candidates?: number
  /**
   * How many tools this process keeps in its index.
   * @default 10_000
   */
  cache?: number
  /**
   * Learns which tools are called after which searches: `createLearning()` of `toolsearch/learning`.
   * Searches with `fromSources`, or with a function as `visible`, do not use what was learned.
   * @default nothing is learned
   */
  learning?: Learning
  /** Runs a tool of the engine in `session.run`. @default such calls are returned for you to run */
  execute?: ExecuteTool
  /** `activation`, `deferral` and the list of an announcement don't apply. @default unified */
  preset?: Preset
}

export type ExecuteTool = (
  tool: Tool,
  input: Record<string, unknown>,
  context: ExecuteContext,
) => unknown

/** A search over a catalogue that is outside of this process. */
export interface EngineSearch {
  /** Write tools here. Searches of every process see them at once. */
  readonly engine: CandidateEngine
  /** Report here which servers are connecting, failed or need sign-in. */
  readonly sources: SourceStates
  readonly preset: Preset
  /** Searches without a session. Loads nothing. @throws EngineError */
  search(query: string, options?: EngineQueryOptions): Promise<SearchOutcome>
  /** Explains why a search returns a tool, or why it does not. @throws EngineError */
  explain(
    query: string,
    name: string,
    options?: Omit<EngineQueryOptions, keyof SearchReasons>,
  ): Promise<ToolExplanation>
  /**
   * Opens a new conversation or continues a stored one.
   * @throws InvalidToolError, DuplicateToolError if one of its own tools is invalid
   */
  session(id: string, options?: EngineSessionOptions): Promise<Session>
  /**
   * Opens a conversation from the result of `session.snapshot()`. If the caller's access was
   * restricted, pass the restrictions again.
   * @throws InvalidSnapshotError, MissingAccessError
   */
  restore(snapshot: unknown, options?: EngineSessionOptions): Promise<Session>
}

/** Which tools of the engine a caller may use. Others are never shown, counted or named. */
export interface EngineAccess {
  /**
   * Names, or a function that decides about each tool. The engine can't evaluate a function, so
   * combine one that rejects most tools with `fromSources`.
   * @default every tool
   */
  visible?: (Iterable<string> & object) | ((tool: Tool) => boolean)
  /**
   * Only the tools of these sources, such as `mcp:github`.
   * @default every source
   */
  fromSources?: Iterable<string> & object
}

export interface EngineQueryOptions extends SearchReasons, EngineAccess {
  /**
   * How many tools to return: a whole number, 0 or more.
   * @default the preset's default limit
   */
  readonly limit?: number
  /** Who searches, for `learning`. */
  readonly person?: string
}

export interface EngineSessionOptions extends EngineAccess, ToolSearchEvents {
  /**
   * Tools of this conversation alone: one of the same name replaces the tool of the engine. They are
   * not stored, so pass them again when you reopen the conversation.
   * @default []
   */
  tools?: ToolInputs
  /**
   * The sources whose connection problems this caller may see.
   * @default every source, or none if access is restricted
   */
  visibleSources?: Iterable<string> & object
  /** Who talks, for `learning`: a key of your choice that is the same in all conversations of a person. */
  person?: string
}

/**
 * Creates a tool search whose catalogue is outside of this process. Sessions work as those of
 * `createToolSearch`, except that tools of the engine are always deferred, and that `session.tools()`
 * has only those that the conversation uses.
 *
 * @throws InvalidOptionError
 */
export function createEngineSearch(options: EngineSearchOptions): EngineSearch {
  checkOptions(options, 'options', OPTIONS)
  checkEngine(options.engine, 'options.engine')
  const { engine, execute, learning, candidates = 500, cache = 10_000 } = options
  const setup = createSearchSetup(options, forEngine)
  const { preset, sources, ranker: shared, countTokens } = setup
  const index = createToolIndex(shared, cache)
  const reader = execute ? executableTools(engine, execute) : engine
  const searchToolName = preset.searchTool.name

  return {
    engine,
    sources,
    preset,
    async search(text, searchOptions = {}) {
      const { visible: _, fromSources: __, ...known } = searchOptions
      checkSearch(text, known)
      const { limit = preset.selection.defaultLimit, person: ___, ...reasons } = known
      const tools = openTools(searchOptions)
      const query = await prepared(text)
      const request = { query, text, limit, ...reasons }
      return (await find(request, tools, searchOptions)).outcome()
    },
    async explain(text, name, explainOptions = {}) {
      const { fromSources: _, ...known } = explainOptions
      checkExplain(text, name, known)
      const { limit = preset.selection.defaultLimit } = explainOptions
      const tools = openTools(explainOptions)
      const query = await prepared(text)
      const request = { query, text, limit, ranksAll: true }
      const search = await find(request, tools, explainOptions, [name])
      const tool = tools.tools.get(name)
      if (tool) return search.explain(tool)
      await tools.remote.keep([], [name])
      return explainMissingTool(name, false, viewOf(tools, explainOptions))
    },
    async session(id, sessionOptions = {}) {
      checkSessionId(id)
      checkOptions(sessionOptions, 'options', SESSION_OPTIONS)
      return open(id, sessionOptions)
    },
    async restore(json, sessionOptions = {}) {
      checkOptions(sessionOptions, 'options', SESSION_OPTIONS)
      const { id, record, visible } = readSnapshot(json)
      checkSessionId(id)
      const isGiven = ['visible', 'fromSources'].some((key) => Object.hasOwn(sessionOptions, key))
      if (visible !== undefined && !isGiven) throw new MissingAccessError(id)
      return open(id, sessionOptions, record)
    },
  }

  function openTools(access: EngineAccess): EngineTools {
    return createEngineTools({
      engine: reader,
      index,
      candidates,
      searchToolName,
      countTokens,
      ...readEngineAccess(access),
    })
  }

  async function prepared(text: string): Promise<Query> {
    const query = parseQuery(text, preset.syntax)
    if (query.kind === 'words') await Promise.all([learning?.ready(), shared.prepare?.(query.text)])
    return query
  }

  /**
   * Adds what was learned. The memory asks about every tool that it knows, which must not become a
   * request to the engine. So it is left out if only the engine can say what the caller may see.
   */
  function learnedIn(options: EngineAccess): LearnedRanking | undefined {
    const { access, scope } = readEngineAccess(options)
    if (learning === undefined || scope.sources) return undefined
    const isVisible = access ? access.isAllowedName : isAnyVisible
    if (isVisible === undefined) return undefined
    return (ranker, caller) => learning.ranker(ranker, { ...caller, isVisible })
  }

  function find(
    request: SearchRequest,
    tools: EngineTools,
    options: EngineAccess & { readonly person?: string },
    names: readonly string[] = [],
  ): Promise<Search> {
    const { person } = options
    const caller = { view: {}, ...(person !== undefined && { person }) }
    return tools.remote.find(request, {
      behaviour: preset,
      view: () => viewOf(tools, options),
      rankerOver: (ranker, get) => learnedIn(options)?.(ranker, { get, ...caller }) ?? ranker,
      names,
    })
  }

  function viewOf(
    tools: EngineTools,
    options: EngineAccess & { readonly person?: string },
  ): SearchView {
    const division = tools.divider(undefined)()
    const all = division.deferrable.length + (division.unlisted ?? 0)
    const { person } = options
    const caller = { get: division.get, view: division, ...(person !== undefined && { person }) }
    return {
      ranker: learnedIn(options)?.(tools.ranker(), caller) ?? tools.ranker(),
      get: division.get,
      spelled: (name) => toolsNamed(tools.names().find(name), division.get),
      tools: () => tools.divider(undefined)().visible,
      unlisted: tools.remote.unlisted,
      words: tools.remote.words,
      status: () => 'found',
      notReady: sources.notReady,
      deferrable: () => all,
      alwaysOn: () => 0,
      remainingAfter: () => all,
    }
  }

  async function open(
    id: string,
    sessionOptions: EngineSessionOptions,
    restored?: SessionRecord,
  ): Promise<Session> {
    const { access, scope } = readEngineAccess(sessionOptions)
    const isRestricted = access !== undefined || scope.sources !== undefined
    const { person } = sessionOptions
    const handlers = [eventsIn(sessionOptions), eventsIn(options)]
    // last: what was learned must not depend on what a handler does
    if (learning) handlers.push(learning.follow(person))
    const learned = learnedIn(sessionOptions)
    return setup.open({
      id,
      base: openTools(sessionOptions),
      tools: sessionOptions.tools,
      access,
      visible: isRestricted ? 'function' : undefined,
      options: sessionOptions,
      handlers,
      learned:
        learned &&
        ((own, caller) => learned(own, { ...(person !== undefined && { person }), ...caller })),
      restored,
    })
  }
}

/** The same function for all callers, so that the memory can keep what depends on it. */
function isAnyVisible(): boolean {
  return true
}

/** A million names fit into no request, and there is always something to search. */
function forEngine(preset: Preset): Preset {
  const { stubs: _, ...announcement } = preset.announcement
  return {
    ...preset,
    activation: 'always',
    announcement: { ...announcement, style: 'none', keepSearchTool: true },
  }
}

/** An explicit `undefined` is an error, so that a missing list cannot open every tool. */
function readEngineAccess(options: EngineAccess): {
  access: ToolAccess | undefined
  scope: EngineScope
} {
  const access = readAccess(options)
  const fix = 'use an array or a set of sources, or leave the option out'
  const from = Object.hasOwn(options, 'fromSources')
    ? [...readNames(options.fromSources, 'fromSources', fix)].sort()
    : undefined
  return {
    access,
    scope: { ...(access?.names && { names: access.names }), ...(from && { sources: from }) },
  }
}

const checkEngine: Check = check(
  (value) => typeof (value as CandidateEngine | null)?.candidates === 'function',
  'use an engine, such as postgresEngine({ pool })',
)

const OPTIONS = {
  ...SETUP_CHECKS,
  engine: checkEngine,
  candidates: count(1),
  cache: count(1),
  execute: callback,
  learning: checkLearning,
} satisfies Record<keyof EngineSearchOptions, Check>

const SESSION_OPTIONS = {
  ...EVENT_CHECKS,
  tools: checkTools,
  // checked when they are read
  visible: anything,
  fromSources: anything,
  visibleSources: anything,
  person: text,
} satisfies Record<keyof EngineSessionOptions, Check>

export type {
  CandidateEngine,
  CandidatesRequest,
  CandidateTerm,
  CandidateWord,
  EngineChange,
  EngineList,
  EngineReader,
  EngineScope,
  TermFacts,
  TermsRequest,
} from './engines/candidate-engine.ts'
export { EngineError } from './engines/engine-error.ts'
export { createMemoryEngine } from './engines/memory-engine.ts'
