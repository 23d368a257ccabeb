import { createCatalogue } from './catalogue/catalogue.ts'
import { createSourceStates, type SourceStates } from './catalogue/source-states.ts'
import type { ToJsonSchema } from './catalogue/standard-schema.ts'
import type { ToolInputs } from './catalogue/tool-input.ts'
import { checkLearning } from './learning/check-learning.ts'
import type { Learning } from './learning/learning.ts'
import {
  anything,
  type Check,
  callback,
  check,
  checkOptions,
  number,
  type Shape,
  text,
} from './options/check-option.ts'
import { unified } from './presets/unified/unified.ts'
import type { Ranker } from './ranking/ranker.ts'
import { SharedRankerError } from './ranking/shared-ranker-error.ts'
import { createAnnouncer } from './session/announcer.ts'
import { checkRanker, checkSessionId, readSources } from './session/check-options.ts'
import { checkPreset, PRESET_OVERRIDES } from './session/check-preset.ts'
import { createSession, type SessionDependencies } from './session/create-session.ts'
import { eventsIn, type ToolSearchEvents } from './session/events.ts'
import { createLoadedDefinitions } from './session/loaded-definitions.ts'
import { overridePreset, type Preset, type PresetOverrides } from './session/preset.ts'
import { createRemovalTracker } from './session/removal-tracker.ts'
import { createRequestToolSets } from './session/request-tool-sets.ts'
import type { Session } from './session/session.ts'
import type { LearnedRanking } from './session/session-search.ts'
import { createStubLists } from './session/stub-lists.ts'
import type { DivideOptions, ToolAccess } from './session/tool-division.ts'
import { createToolSet, type OwnToolSet, type ToolSet } from './session/tool-set.ts'
import { type VisibleTools, viewTools } from './session/view-tools.ts'
import { createMemoryStore } from './stores/memory-store.ts'
import { createSerialQueue } from './stores/serial-queue.ts'
import type { SessionRecord } from './stores/session-record.ts'
import {
  MissingAccessError,
  readSnapshot,
  type SessionSnapshot,
  type SnapshotAccess,
} from './stores/session-snapshot.ts'
import type { SessionStore } from './stores/session-store.ts'
import { openStoredSession } from './stores/stored-session.ts'
import { checkedCounter } from './tokens/checked-counter.ts'
import { type CountTokens, estimateTokens } from './tokens/estimate-tokens.ts'
import type { ValidateArguments } from './tool-search/check-arguments.ts'
import type { SearchReasons, SearchRequest } from './tool-search/finders/finder.ts'
import { createSearchGuards } from './tool-search/search-guards.ts'
import type { SearchView } from './tool-search/search-view.ts'

/** The options of every tool search, wherever its catalogue is. */
export interface SetupOptions extends PresetOverrides, ToolSearchEvents {
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
  /**
   * Learns which tools are called after which searches: `createLearning()` of `toolsearch/learning`.
   * Over an engine, searches with `fromSources` or with a function as `visible` do not use what was
   * learned.
   * @default learns nothing
   */
  learning?: Learning
}

/** Everything that searches and sessions share, wherever the catalogue is. */
export interface SearchSetup<Access> {
  readonly preset: Preset
  readonly sources: SourceStates
  /** The ranker of the tools that all conversations share. */
  readonly ranker: Ranker
  readonly countTokens: CountTokens
  readonly divideOptions: Omit<DivideOptions, 'catalogue' | 'access'>
  /** Reads a query and its options. */
  request(text: string, options: SearchOptions): SearchRequest
  /** What a search without a session sees. */
  view(
    tools: CallerTools,
    caller: Pick<SearchOptions, 'person'>,
    visible?: () => VisibleTools,
  ): SearchView
  /** Adds what was learned to a ranker; undefined if it has to be left out. */
  learned(tools: Pick<CallerTools, 'recalls'>): LearnedRanking | undefined
  /** @param checks those of `Access` */
  sessions(openTools: (access: Access) => CallerTools, checks: Shape): Sessions<Access>
}

/** The shared tools, as far as one caller may see them. */
export interface CallerTools {
  readonly base: ToolSet
  readonly access: ToolAccess | undefined
  /** What a snapshot says about the tools this caller may see; undefined if it may see all. */
  readonly visible: SnapshotAccess['visible']
  /** Absent if what was learned must be left out. `isVisible` is known without looking tools up. */
  readonly recalls?: { readonly isVisible?: (name: string) => boolean } | undefined
}

/** What every session can be opened with. */
export interface OpenOptions extends ToolSearchEvents {
  /**
   * Tools of this conversation alone, on top of the shared ones: one of the same name replaces the
   * shared tool. They are not stored, so pass them again when you reopen the conversation.
   * @default []
   */
  tools?: ToolInputs
  /**
   * The sources whose connection problems this caller may see.
   * @default every source, or none if the caller may not see every tool
   */
  visibleSources?: NameList
  /**
   * Who talks, for `learning`: a key of your choice that is the same in all conversations of a person.
   * @default conversations without it count as those of one person
   */
  person?: string
}

/** The options of a search without a session. */
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

/** An array, a set or another iterable of names, but not a string. */
export type NameList = Iterable<string> & object

export interface Sessions<Access> {
  /**
   * Opens a new conversation or continues a stored one.
   * @throws InvalidToolError, DuplicateToolError if one of its own tools is invalid
   */
  session(id: string, options?: Access & OpenOptions): Promise<Session>
  /**
   * Opens a conversation from the result of `session.snapshot()` and replaces the stored one. The
   * caller may see the same tools as before, unless `options` say otherwise. What only the program
   * can decide, such as a function, has to be passed again.
   * @throws InvalidSnapshotError, MissingAccessError
   */
  restore(snapshot: unknown, options?: Access & OpenOptions): Promise<Session>
}

const EVENT_CHECKS: Readonly<Record<keyof ToolSearchEvents, Check>> = {
  onLoaded: callback,
  onSearch: callback,
  onCall: callback,
  onRemoved: callback,
}

export const checkTools: Check = check(
  (value) => typeof value === 'object' && value !== null,
  'use an array of tools, or an object whose keys are their names',
)

export const SETUP_CHECKS: Readonly<Record<keyof SetupOptions, Check>> = {
  ...PRESET_OVERRIDES,
  ...EVENT_CHECKS,
  preset: checkPreset,
  contextWindow: number(1),
  store: check(
    (value) => typeof (value as SessionStore | null)?.update === 'function',
    'use a store, such as createMemoryStore()',
  ),
  countTokens: callback,
  validate: callback,
  toJsonSchema: callback,
  now: callback,
  learning: checkLearning,
}

/** Loaded on first use: most programs never rebuild a session. */
const findLoaded: SessionDependencies['findLoaded'] = async (...args) =>
  (await import('./message-shapes.ts')).toolsIn(...args)

const OPEN_CHECKS = {
  ...EVENT_CHECKS,
  tools: checkTools,
  // checked when they are read
  visibleSources: anything,
  person: text,
} satisfies Record<keyof OpenOptions, Check>

/** `adapt` changes the preset after the overrides. @throws InvalidOptionError if the ranker is invalid */
export function createSearchSetup<Access extends object>(
  options: SetupOptions,
  adapt: (preset: Preset) => Preset = (preset) => preset,
): SearchSetup<Access> {
  const { contextWindow = 200_000, validate, toJsonSchema, now, learning } = options
  const countTokens = options.countTokens ? checkedCounter(options.countTokens) : estimateTokens
  const preset = adapt(overridePreset(options.preset ?? unified, options))
  const store = options.store ?? createMemoryStore(now ? { now } : {})
  const sources = createSourceStates()
  const ranker = preset.ranker()
  checkRanker(ranker)
  const searchToolName = preset.searchTool.name
  const divideOptions = {
    policy: preset.deferral,
    searchToolName,
    countTokens,
    neverDefer: preset.activation === 'never',
    skills: preset.skills === true,
  }
  const parts = {
    preset,
    createOwn,
    requestToolSets: createRequestToolSets((tools) =>
      createToolSet(tools, createPrivateRanker, divideOptions),
    ),
    searches: createSerialQueue(),
    announcer: createAnnouncer({ announcement: preset.announcement, searchToolName, countTokens }),
    definitions: createLoadedDefinitions(),
    stubLists: createStubLists(),
    guards: createSearchGuards({ rateLimit: preset.rateLimit, ...(now && { now }) }),
    countTokens,
    contextWindow,
    validate,
    findLoaded,
  }
  const removals = createRemovalTracker()

  return {
    preset,
    sources,
    ranker,
    countTokens,
    divideOptions,
    request: (text, { limit = preset.selection.defaultLimit, explain = false, nearMisses }) => ({
      query: preset.readQuery(text),
      text,
      limit,
      explain,
      ...(nearMisses !== undefined && { nearMisses }),
    }),
    view,
    learned: learnedFor,
    sessions(openTools, accessChecks) {
      const checks = { ...OPEN_CHECKS, ...accessChecks }
      return {
        async session(id, sessionOptions = {} as Access) {
          checkSessionId(id)
          checkOptions(sessionOptions, 'options', checks)
          return open(id, sessionOptions, openTools(sessionOptions))
        },
        async restore(json, sessionOptions = {} as Access) {
          checkOptions(sessionOptions, 'options', checks)
          const snapshot = readSnapshot(json)
          checkSessionId(snapshot.id)
          const access = restoreOptions(snapshot, sessionOptions, Object.keys(accessChecks))
          return open(snapshot.id, access, openTools(access), snapshot.record)
        },
      }
    },
  }

  function view(
    { base, access, ...tools }: CallerTools,
    { person }: Pick<SearchOptions, 'person'>,
    visible: () => VisibleTools = base.divider(access),
  ): SearchView {
    const ranker = () => {
      const { get, skill, visible: all } = visible()
      const find = (name: string) => get(name) ?? skill(name)
      const own = base.ranker()
      return learnedFor(tools)?.(own, { get: find, view: all, person }) ?? own
    }
    const findNames = (spelling: string) => base.names().find(spelling)
    return viewTools({
      visible,
      ranker,
      findNames,
      notReady: sources.notReady,
      remote: base.remote,
    })
  }

  function learnedFor({ recalls }: Pick<CallerTools, 'recalls'>): LearnedRanking | undefined {
    return learning && recalls && ((own, caller) => learning.ranker(own, { ...caller, ...recalls }))
  }

  async function open(
    id: string,
    sessionOptions: OpenOptions,
    { base, access, visible, recalls }: CallerTools,
    restored?: SessionRecord,
  ): Promise<Session> {
    const { person } = sessionOptions
    const handlers = [eventsIn(sessionOptions), eventsIn(options)]
    // last: what was learned must not depend on what a handler does
    if (learning) handlers.push(learning.follow(person))
    const learned = learnedFor({ recalls })
    const allowedSources = readSources(sessionOptions)
    const own = createOwn(sessionOptions.tools ?? [])
    const stored = await openStoredSession(store, id, preset.loading)
    if (restored) await stored.replace(restored)
    return createSession({
      ...parts,
      base,
      own,
      access,
      stored,
      snapshotAccess: {
        ...(visible && { visible }),
        ...(allowedSources && { visibleSources: [...allowedSources].sort() }),
      },
      notReady: () =>
        sources
          .notReady()
          .filter(({ source }) => (allowedSources ? allowedSources.has(source) : !visible)),
      handlers,
      learned:
        learned &&
        ((ranker, caller) => learned(ranker, { ...caller, person: caller.person ?? person })),
      removals: handlers.some(({ onRemoved }) => onRemoved) ? removals : undefined,
    })
  }

  function createOwn(definitions: ToolInputs): OwnToolSet {
    const own = createCatalogue(definitions, toJsonSchema && { toJsonSchema })
    return { ...createToolSet(own, createPrivateRanker, divideOptions), tools: own }
  }

  function createPrivateRanker(): Ranker {
    const created = preset.ranker()
    if (created === ranker) throw new SharedRankerError(ranker.name)
    return created
  }
}

/** A restored session may see the same tools and sources as before, unless `options` say otherwise. */
function restoreOptions<Access extends object>(
  { id, visible, visibleSources }: SessionSnapshot,
  options: Access & OpenOptions,
  accessOptions: readonly string[],
): Access & OpenOptions {
  const isGiven = accessOptions.some((option) => Object.hasOwn(options, option))
  if (visible === 'function' && !isGiven) throw new MissingAccessError(id)
  return {
    ...(visible && visible !== 'function' && { visible }),
    ...(visibleSources && { visibleSources }),
    ...options,
  } as Access & OpenOptions
}
