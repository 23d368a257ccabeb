import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import type { SourceStates } from './catalogue/source-states.ts'
import type { Tool } from './catalogue/tool.ts'
import type { ToolInputs } from './catalogue/tool-input.ts'
import { checkLearning } from './learning/check-learning.ts'
import type { Learning } from './learning/learning.ts'
import { anything, type Check, checkOptions, text } from './options/check-option.ts'
import { parseQuery } from './query/parse-query.ts'
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
import type { ToolDivision } from './session/tool-division.ts'
import { createToolSet } from './session/tool-set.ts'
import type { SessionRecord } from './stores/session-record.ts'
import {
  MissingAccessError,
  readSnapshot,
  type SessionSnapshot,
} from './stores/session-snapshot.ts'
import { explainMissingTool, type ToolExplanation } from './tool-search/explain-tool.ts'
import type { SearchReasons } from './tool-search/finders/finder.ts'
import { toolsNamed } from './tool-search/name-index.ts'
import { findTools, runSearch } from './tool-search/run-search.ts'
import type { SearchOutcome } from './tool-search/search-outcome.ts'
import type { SearchView } from './tool-search/search-view.ts'

export interface ToolSearchOptions extends SetupOptions {
  /**
   * Tools in any shape: our own, MCP's, OpenAI's, Anthropic's, or a `ToolSet` of the AI SDK.
   * @default []
   */
  tools?: ToolInputs
  /**
   * Learns which tools are called after which searches: `createLearning()` of `toolsearch/learning`.
   * @default learns nothing
   */
  learning?: Learning
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
  /**
   * Opens a new conversation or continues a stored one.
   * @throws InvalidToolError, DuplicateToolError if one of its own tools is invalid
   */
  session(id: string, options?: SessionOptions): Promise<Session>
  /**
   * Opens a conversation from the result of `session.snapshot()` and replaces the stored one. The
   * caller may see the same tools as before, unless `options` say otherwise.
   * @throws InvalidSnapshotError, MissingAccessError
   */
  restore(snapshot: unknown, options?: SessionOptions): Promise<Session>
}

export interface SearchOptions extends SearchReasons {
  /**
   * How many tools to return: a whole number, 0 or more. Not clamped to the preset's `maxLimit`, which
   * applies to models.
   * @default the preset's default limit
   */
  readonly limit?: number
  /** Who searches, for `learning`. */
  readonly person?: string
}

export interface ExplainOptions extends Pick<SessionOptions, 'visible' | 'person'> {
  /**
   * The limit of the search to explain.
   * @default the preset's default limit
   */
  limit?: number
}

export interface SessionOptions extends ToolSearchEvents {
  /**
   * Tools of this conversation alone, on top of the shared ones: one of the same name replaces the
   * shared tool. They are not stored, so pass them again when you reopen the conversation.
   * @default []
   */
  tools?: ToolInputs
  /**
   * The tools this caller may use, shared or its own. Other tools are never shown, counted or named.
   * An explicit `undefined` or `null` is an error, so that a missing list cannot open every tool.
   * @default every tool
   */
  visible?: NameList | ((tool: Tool) => boolean)
  /**
   * The sources whose connection problems this caller may see.
   * @default every source, or none if `visible` is set
   */
  visibleSources?: NameList
  /**
   * Who talks, for `learning`: a key of your choice that is the same in all conversations of a person.
   * @default conversations without it count as those of one person
   */
  person?: string
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
  const { tools = [], toJsonSchema, learning } = options
  const setup = createSearchSetup(options)
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
      const { limit = preset.selection.defaultLimit, person, ...reasons } = searchOptions
      const query = parseQuery(text, preset.syntax)
      return runSearch({ query, text, limit, ...reasons }, viewWithoutSession(person), preset)
    },
    explain(text, name, explainOptions = {}) {
      checkExplain(text, name, explainOptions)
      const { limit = preset.selection.defaultLimit, person } = explainOptions
      const access = readAccess(explainOptions)
      const view = viewWithoutSession(person, access && shared.divider(access)())
      const tool = view.get(name)
      if (tool === undefined) return explainMissingTool(name, catalogue.has(name), view)
      const query = parseQuery(text, preset.syntax)
      return findTools({ query, text, limit, ranksAll: true }, view, preset).explain(tool)
    },
    async session(id, sessionOptions = {}) {
      checkSessionId(id)
      checkOptions(sessionOptions, 'options', SESSION_OPTIONS)
      return open(id, sessionOptions)
    },
    async restore(json, sessionOptions = {}) {
      checkOptions(sessionOptions, 'options', SESSION_OPTIONS)
      const snapshot = readSnapshot(json)
      checkSessionId(snapshot.id)
      return open(snapshot.id, restoreOptions(snapshot, sessionOptions), snapshot.record)
    },
  }

  /** Whether there are skills, and the preset ignores them. */
  function hidesSkills(): boolean {
    return !divideOptions.skills && catalogue.tools().some(({ skill }) => skill)
  }

  /** Nothing is hidden and nothing is loaded. */
  function viewWithoutSession(person?: string, requested?: ToolDivision): SearchView {
    // dividing is slow after a change, so do it only if a tool must be left out
    const hasConflict = catalogue.has(preset.searchTool.name)
    const isSimple = !hasConflict && !hidesSkills()
    const division = requested ?? (isSimple ? undefined : shared.divider(undefined)())
    const tools = () => (division ? [...division.visible, ...division.skills] : catalogue.tools())
    const get = (name: string) =>
      division ? (division.get(name) ?? division.skill(name)) : catalogue.get(name)
    return {
      ranker: learning
        ? learning.ranker(ranker, { person, get, view: division ?? catalogue.tools() })
        : ranker,
      get,
      spelled: (name) => toolsNamed(shared.names().find(name), get),
      ...(division && { isVisible: division.isVisible }),
      tools,
      status: ({ skill }) => (skill ? 'skill' : 'found'),
      notReady: sources.notReady,
      deferrable: () => tools().length,
      alwaysOn: () => 0,
      remainingAfter: () => tools().length,
    }
  }

  async function open(
    id: string,
    sessionOptions: SessionOptions,
    restored?: SessionRecord,
  ): Promise<Session> {
    const { tools, person } = sessionOptions
    const handlers = [eventsIn(sessionOptions), eventsIn(options)]
    // last: what was learned must not depend on what a handler does
    if (learning) handlers.push(learning.follow(person))
    const access = readAccess(sessionOptions)
    return setup.open({
      id,
      base: shared,
      tools,
      access,
      visible: access && (access.names ?? 'function'),
      options: sessionOptions,
      handlers,
      learned: learning && ((own, caller) => learning.ranker(own, { person, ...caller })),
      restored,
    })
  }
}

const OPTIONS = {
  ...SETUP_CHECKS,
  tools: checkTools,
  learning: checkLearning,
} satisfies Record<keyof ToolSearchOptions, Check>

const SESSION_OPTIONS = {
  ...EVENT_CHECKS,
  tools: checkTools,
  // checked when they are read
  visible: anything,
  visibleSources: anything,
  person: text,
} satisfies Record<keyof SessionOptions, Check>

/** A restored session may see the same tools and sources as before, unless `options` say otherwise. */
function restoreOptions(snapshot: SessionSnapshot, options: SessionOptions): SessionOptions {
  const { visible, visibleSources } = snapshot
  if (visible === 'function' && !Object.hasOwn(options, 'visible')) {
    throw new MissingAccessError(snapshot.id)
  }
  return {
    ...(visible && visible !== 'function' && { visible }),
    ...(visibleSources && { visibleSources }),
    ...options,
  }
}
