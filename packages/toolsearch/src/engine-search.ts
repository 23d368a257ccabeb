import type { SourceStates } from './catalogue/source-states.ts'
import type { ExecuteContext, Tool } from './catalogue/tool.ts'
import type { CandidateEngine, EngineScope } from './engines/candidate-engine.ts'
import { createEngineTools, type EngineTools } from './engines/engine-tools.ts'
import { executableTools } from './engines/executable-tools.ts'
import { createToolIndex } from './engines/tool-index.ts'
import {
  anything,
  type Check,
  callback,
  check,
  checkOptions,
  count,
  readNames,
} from './options/check-option.ts'
import {
  type CallerTools,
  createSearchSetup,
  type NameList,
  SETUP_CHECKS,
  type SearchOptions,
  type Sessions,
  type SetupOptions,
} from './search-setup.ts'
import { checkExplain, checkSearch, readAccess } from './session/check-options.ts'
import type { Preset } from './session/preset.ts'
import type { ToolAccess } from './session/tool-division.ts'
import { explainMissingTool, type ToolExplanation } from './tool-search/explain-tool.ts'
import type { SearchReasons } from './tool-search/finders/finder.ts'
import type { Search } from './tool-search/run-search.ts'
import type { SearchOutcome } from './tool-search/search-outcome.ts'

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
export interface EngineSearch extends Sessions<EngineAccess> {
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
}

/** Which tools of the engine a caller may use. Others are never shown, counted or named. */
export interface EngineAccess {
  /**
   * Names, or a function that decides about each tool. The engine can't evaluate a function, so
   * combine one that rejects most tools with `fromSources`.
   * @default every tool
   */
  visible?: NameList | ((tool: Tool) => boolean)
  /**
   * Only the tools of these sources, such as `mcp:github`.
   * @default every source
   */
  fromSources?: NameList
}

export interface EngineQueryOptions extends SearchOptions, EngineAccess {}

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
  const setup = createSearchSetup<EngineAccess>(options, forEngine)
  const { preset, sources, ranker, countTokens } = setup
  const index = createToolIndex(ranker, cache)
  const reader = execute ? executableTools(engine, execute) : engine
  const searchToolName = preset.searchTool.name

  return {
    engine,
    sources,
    preset,
    async search(text, searchOptions = {}) {
      const { visible, fromSources, ...known } = searchOptions
      checkSearch(text, known)
      return (await find(text, openTools(searchOptions), searchOptions)).outcome()
    },
    async explain(text, name, explainOptions = {}) {
      const { fromSources, ...known } = explainOptions
      checkExplain(text, name, known)
      const tools = openTools(explainOptions)
      const search = await find(text, tools, explainOptions, { ranksAll: true, names: [name] })
      const { base } = tools
      const tool = base.tools.get(name)
      if (tool) return search.explain(tool)
      await base.remote.keep([], [name])
      return explainMissingTool(name, false, setup.view(tools, explainOptions))
    },
    ...setup.sessions(openTools, ACCESS),
  }

  async function find(
    text: string,
    tools: OpenedTools,
    options: EngineQueryOptions,
    { ranksAll = false, names = [] }: { ranksAll?: boolean; names?: readonly string[] } = {},
  ): Promise<Search> {
    const request = { ...setup.request(text, options), ranksAll }
    const { query } = request
    const { person } = options
    if (query.kind === 'words') await Promise.all([learning?.ready(), ranker.prepare?.(query.text)])
    return tools.base.remote.find(request, {
      behaviour: preset,
      view: () => setup.view(tools, options),
      rankerOver: (own, get) => setup.learned(tools)?.(own, { get, view: {}, person }) ?? own,
      names,
    })
  }

  function openTools(options: EngineAccess): OpenedTools {
    const { access, scope } = readEngineAccess(options)
    const isRestricted = access !== undefined || scope.sources !== undefined
    const base = createEngineTools({
      ...{ engine: reader, index, candidates, searchToolName, countTokens, access, scope },
    })
    return {
      base,
      access,
      visible: isRestricted ? 'function' : undefined,
      recalls: recallsWith(access, scope),
    }
  }
}

interface OpenedTools extends CallerTools {
  readonly base: EngineTools
}

/**
 * The memory asks about every tool that it knows, which must not become a request to the engine. So it
 * is left out if only the engine can say what the caller may see.
 */
function recallsWith(access: ToolAccess | undefined, { sources }: EngineScope) {
  const isVisible = access ? access.isAllowedName : isAnyVisible
  return sources || isVisible === undefined ? undefined : { isVisible }
}

/** The same function for all callers, so that the memory can keep what depends on it. */
function isAnyVisible(): boolean {
  return true
}

/** A million names fit into no request, and there is always something to search. */
function forEngine(preset: Preset): Preset {
  const { stubs, ...announcement } = preset.announcement
  return {
    ...preset,
    activation: 'always',
    announcement: { ...announcement, style: 'none' },
    alwaysOffersSearch: true,
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
} satisfies Record<keyof EngineSearchOptions, Check>

// checked when they are read
const ACCESS = {
  visible: anything,
  fromSources: anything,
} satisfies Record<keyof EngineAccess, Check>

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
