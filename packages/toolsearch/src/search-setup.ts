import { createCatalogue } from './catalogue/catalogue.ts'
import { createSourceStates, type SourceStates } from './catalogue/source-states.ts'
import type { ToJsonSchema } from './catalogue/standard-schema.ts'
import type { ToolInputs } from './catalogue/tool-input.ts'
import { type Check, callback, check, number } from './options/check-option.ts'
import { unified } from './presets/unified/unified.ts'
import type { Ranker } from './ranking/ranker.ts'
import { SharedRankerError } from './ranking/shared-ranker-error.ts'
import { createAnnouncer } from './session/announcer.ts'
import { checkRanker, readSources } from './session/check-options.ts'
import { checkPreset, PRESET_OVERRIDES } from './session/check-preset.ts'
import { createSession, type SessionDependencies } from './session/create-session.ts'
import type { ToolSearchEvents } from './session/events.ts'
import { createGivenTools } from './session/given-tools.ts'
import { createLoadedDefinitions } from './session/loaded-definitions.ts'
import { overridePreset, type Preset, type PresetOverrides } from './session/preset.ts'
import { createRemovalTracker } from './session/removal-tracker.ts'
import type { Session } from './session/session.ts'
import type { LearnedRanking } from './session/session-search.ts'
import { createStubLists } from './session/stub-lists.ts'
import type { DivideOptions, ToolAccess } from './session/tool-division.ts'
import { createToolSet, type OwnToolSet, type ToolSet } from './session/tool-set.ts'
import { openLedger } from './stores/ledger.ts'
import { createMemoryStore } from './stores/memory-store.ts'
import { createSerialQueue } from './stores/serial-queue.ts'
import type { SessionRecord } from './stores/session-record.ts'
import type { SnapshotAccess } from './stores/session-snapshot.ts'
import type { SessionStore } from './stores/session-store.ts'
import { checkedCounter } from './tokens/checked-counter.ts'
import { type CountTokens, estimateTokens } from './tokens/estimate-tokens.ts'
import type { ValidateArguments } from './tool-search/check-arguments.ts'
import { createSearchGuards } from './tool-search/search-guards.ts'

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
}

/** Everything that searches and sessions share, wherever the catalogue is. */
export interface SearchSetup {
  readonly preset: Preset
  readonly sources: SourceStates
  /** The ranker of the tools that all conversations share. */
  readonly ranker: Ranker
  readonly countTokens: CountTokens
  readonly divideOptions: Omit<DivideOptions, 'catalogue' | 'access'>
  open(request: OpenRequest): Promise<Session>
}

interface OpenRequest {
  readonly id: string
  readonly base: ToolSet
  /** The tools of this conversation alone. */
  readonly tools: ToolInputs | undefined
  readonly access: ToolAccess | undefined
  /** What a snapshot says about the tools this caller may see; undefined if it may see all. */
  readonly visible: SnapshotAccess['visible']
  /** The options of the session, for `visibleSources`. */
  readonly options: { readonly visibleSources?: unknown }
  readonly handlers: readonly ToolSearchEvents[]
  readonly learned?: LearnedRanking | undefined
  /** Replaces the stored record. */
  readonly restored: SessionRecord | undefined
}

export const EVENT_CHECKS: Readonly<Record<keyof ToolSearchEvents, Check>> = {
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
}

/** Loaded on first use: most programs never rebuild a session. */
const findLoaded: SessionDependencies['findLoaded'] = async (...args) =>
  (await import('./message-shapes.ts')).toolsIn(...args)

/** `adapt` changes the preset after the overrides. @throws InvalidOptionError if the ranker is invalid */
export function createSearchSetup(
  options: SetupOptions,
  adapt: (preset: Preset) => Preset = (preset) => preset,
): SearchSetup {
  const { contextWindow = 200_000, validate, toJsonSchema, now } = options
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
    givenTools: createGivenTools((tools) =>
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
    async open({ id, base, tools, access, visible, options, handlers, learned, restored }) {
      const allowedSources = readSources(options)
      const own = createOwn(tools ?? [])
      const ledger = await openLedger(store, id, preset.loading)
      if (restored) await ledger.replace(restored)
      return createSession({
        ...parts,
        base,
        own,
        access,
        ledger,
        snapshotAccess: {
          ...(visible && { visible }),
          ...(allowedSources && { visibleSources: [...allowedSources].sort() }),
        },
        notReady: () =>
          sources
            .notReady()
            .filter(({ source }) => (allowedSources ? allowedSources.has(source) : !visible)),
        handlers,
        learned,
        removals: handlers.some(({ onRemoved }) => onRemoved) ? removals : undefined,
      })
    },
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
