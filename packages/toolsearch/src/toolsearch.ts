import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import type { SourceStates } from './catalogue/source-states.ts'
import type { Tool } from './catalogue/tool.ts'
import type { ToolInputs } from './catalogue/tool-input.ts'
import { anything, type Check, checkOptions } from './options/check-option.ts'
import {
  type CallerTools,
  checkTools,
  createSearchSetup,
  type NameList,
  type OpenOptions,
  SETUP_CHECKS,
  type SearchOptions,
  type Sessions,
  type SetupOptions,
} from './search-setup.ts'
import { checkExplain, checkSearch, readAccess } from './session/check-options.ts'
import type { Preset } from './session/preset.ts'
import { createToolSet } from './session/tool-set.ts'
import type { VisibleTools } from './session/view-tools.ts'
import { explainMissingTool, type ToolExplanation } from './tool-search/explain-tool.ts'
import { findTools, runSearch } from './tool-search/run-search.ts'
import type { SearchOutcome } from './tool-search/search-outcome.ts'

export interface ToolSearchOptions extends SetupOptions {
  /**
   * Tools in any shape: our own, MCP's, OpenAI's, Anthropic's, or a `ToolSet` of the AI SDK.
   * @default []
   */
  tools?: ToolInputs
}

/** A catalogue of tools, and the search over it. */
export interface ToolSearch extends Sessions<ToolSearchAccess> {
  /** Add, replace and remove tools at any time. */
  readonly catalogue: Catalogue
  /** Report here which servers are connecting, failed or need sign-in. */
  readonly sources: SourceStates
  readonly preset: Preset
  /** Searches all tools without a session. Loads nothing. */
  search(query: string, options?: SearchOptions): SearchOutcome
  /** Explains why a search returns a tool, or why it does not. Meant for people, not for models. */
  explain(query: string, name: string, options?: ExplainOptions): ToolExplanation
}

/** `limit` is that of the search to explain. */
export interface ExplainOptions
  extends Pick<SearchOptions, 'limit' | 'person'>,
    Pick<SessionOptions, 'visible'> {}

/** Which of the shared tools a caller may use. */
interface ToolSearchAccess {
  /**
   * The tools this caller may use, shared or its own. Other tools are never shown, counted or named.
   * An explicit `undefined` or `null` is an error, so that a missing list cannot open every tool.
   * @default every tool
   */
  visible?: NameList | ((tool: Tool) => boolean)
}

export interface SessionOptions extends ToolSearchAccess, OpenOptions {}

/**
 * Creates a tool search from a preset, with any of its settings overridden.
 *
 * @throws InvalidToolError, DuplicateToolError if one of `tools` cannot be added
 * @throws InvalidOptionError
 */
export function createToolSearch(options: ToolSearchOptions = {}): ToolSearch {
  checkOptions(options, 'options', OPTIONS)
  const { tools = [], toJsonSchema } = options
  const setup = createSearchSetup<ToolSearchAccess>(options)
  const { preset, sources, ranker, divideOptions } = setup
  const catalogue = createCatalogue([], toJsonSchema && { toJsonSchema })
  const shared = createToolSet(catalogue, () => ranker, divideOptions)
  // index the shared tools now, so that the first search does not have to wait
  shared.ranker()
  shared.names()
  catalogue.add(tools)

  return {
    catalogue,
    sources,
    preset,
    search(text, searchOptions = {}) {
      checkSearch(text, searchOptions)
      const view = setup.view(openTools({}), searchOptions, visibleToAll())
      return runSearch(setup.request(text, searchOptions), view, preset)
    },
    explain(text, name, explainOptions = {}) {
      checkExplain(text, name, explainOptions)
      const opened = openTools(explainOptions)
      const view = setup.view(opened, explainOptions, opened.access ? undefined : visibleToAll())
      const tool = view.get(name)
      if (tool === undefined) return explainMissingTool(name, catalogue.has(name), view)
      const request = { ...setup.request(text, explainOptions), ranksAll: true }
      return findTools(request, view, preset).explain(tool)
    },
    ...setup.sessions(openTools, ACCESS),
  }

  function openTools(options: ToolSearchAccess): CallerTools {
    const access = readAccess(options)
    return { base: shared, access, visible: access && (access.names ?? 'function'), recalls: {} }
  }

  /** Dividing is slow after a change, so it is left out unless a tool has to be. */
  function visibleToAll(): (() => VisibleTools) | undefined {
    const all = catalogue.tools()
    const hidesSkills = !divideOptions.skills && all.some(({ skill }) => skill)
    if (hidesSkills || catalogue.has(preset.searchTool.name)) return undefined
    return () => ({ visible: all, skills: [], get: catalogue.get, skill: () => undefined })
  }
}

const OPTIONS = {
  ...SETUP_CHECKS,
  tools: checkTools,
} satisfies Record<keyof ToolSearchOptions, Check>

// checked when it is read
const ACCESS = { visible: anything } satisfies Record<keyof ToolSearchAccess, Check>
