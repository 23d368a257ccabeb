import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import { isObject } from '../is-object.ts'
import { dependsOnUsage, isActive } from '../policy/activation.ts'
import type { Ledger } from '../stores/ledger.ts'
import type { SerialQueue } from '../stores/serial-queue.ts'
import {
  addLoaded,
  type LoadedTool,
  type LoadResult,
  type SessionRecord,
} from '../stores/session-record.ts'
import type { SessionSnapshot, SnapshotAccess } from '../stores/session-snapshot.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { type SavingsReport, savingsReport } from '../tokens/savings-report.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import type { ValidateArguments } from '../tool-search/check-arguments.ts'
import { checkCall } from '../tool-search/check-call.ts'
import { type Answer, checkedAnswer, type ResultFormat } from '../tool-search/search-answer.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'
import type { SearchGuards } from '../tool-search/search-guards.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import type { Entry } from '../transcript/entry.ts'
import type { LoadedTools } from '../transcript/loaded-tools.ts'
import { expectedIn, type Reveal } from '../transcript/reveal.ts'
import type { Announcer } from './announcer.ts'
import {
  checkDefinitions,
  checkFork,
  checkMessages,
  checkNames,
  checkSessionSearch,
  checkTurn,
} from './check-options.ts'
import { closable } from './closable.ts'
import { type LoadedEvent, type Report, reporting, type ToolSearchEvents } from './events.ts'
import { chooseExpected, EXPECT_LIMITS, type ExpectedTools } from './expected-tools.ts'
import type { GivenTools } from './given-tools.ts'
import { layerTools } from './layered-tools.ts'
import type { LoadedDefinitions } from './loaded-definitions.ts'
import type { Preset } from './preset.ts'
import type { RemovalTracker } from './removal-tracker.ts'
import { createSessionCalls, type SessionCalls } from './session-calls.ts'
import {
  createSessionSearch,
  type LearnedRanking,
  type SessionSearchRequest,
} from './session-search.ts'
import type { StubLists } from './stub-lists.ts'
import { isUnseen, type ToolAccess } from './tool-division.ts'
import type { OwnToolSet, ToolSet } from './tool-set.ts'
import { type AppendOnly, planTurn, type Turn } from './turn.ts'

/** One conversation: what each request contains, and how to answer the model's calls. */
export interface Session extends SessionCalls {
  readonly id: string
  /**
   * Names of the loaded tools in loading order, as of the last call to this object. Some may no longer
   * be in the catalogue.
   */
  readonly loaded: readonly string[]
  /** The definition of the search tool. */
  readonly searchTool: SearchTool
  /** How the preset's system gives found tools to the model; undefined if it does not matter. */
  readonly reveal: Reveal | undefined
  /** Where adapters use the preset's format of search results. */
  readonly resultIn: NonNullable<Preset['resultIn']>
  /**
   * The conversation's own tools, on top of the shared ones: an own tool replaces a shared tool of
   * the same name. Changes apply to this object only and are not stored.
   */
  readonly catalogue: Catalogue
  /** Plans the next request. Call it once per request, after answering all calls in the last reply. */
  turn(options?: TurnOptions): Promise<Turn>
  /** All tools that this conversation may use, in catalogue order. */
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /**
   * Loaded tools that were removed since, with the last known definition. Histories still refer to
   * them. A definition is kept in memory only, so after a restart some may be missing.
   */
  removedTools(): readonly ToolText[]
  /**
   * Searches and loads the hits. Searches of one session run one after another, also if several
   * objects of the same `ToolSearch` continue it. `outcome` is the result as data, `answer` is what
   * the model should receive.
   */
  search(
    input: unknown,
    options?: SessionSearchOptions,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }>
  /**
   * Loads tools without a search, for example the tool of a forced tool choice. Resolves to the names
   * that were not loaded before.
   */
  load(names: readonly string[]): Promise<readonly string[]>
  /** Call this after you replace the history with a summary. */
  compacted(): Promise<void>
  /** Replaces the loaded tools with those found in the messages of a conversation. */
  rebuild(messages: readonly unknown[], options?: RebuildOptions): Promise<readonly string[]>
  /**
   * The same conversation with exactly these tools, for callers that pass their tools with each
   * request. No other conversation sees them. If this conversation can already see a tool of that
   * name, fields that the definition omits have the values of that tool. To reuse the search index,
   * pass the same array again.
   * @throws InvalidToolError
   */
  withTools(definitions: readonly ToolDefinition[]): Session
  /**
   * Opens a separate session for a subagent, with a copy of the conversation's own tools, and without
   * the loaded tools unless `loaded` is true. It may see the same tools as this session.
   * @throws SessionExistsError if there is a session with this id
   */
  fork(id: string, options?: { loaded?: boolean }): Promise<Session>
  /** The current state as JSON, with the tools that this caller may see. */
  snapshot(): Promise<SessionSnapshot>
  /** Compares the tokens of this turn with sending every tool. */
  report(turn: Turn): SavingsReport
  /**
   * Frees the conversation's own tools now instead of when this object is garbage-collected. The
   * record stays in the store. Afterwards every other method fails with a `SessionClosedError`.
   */
  close(): void
}

interface RebuildOptions {
  /**
   * Maps a name in the messages to a tool name.
   * @default the same name
   */
  readonly nameOf?: (name: string) => string
  /**
   * Reads a message of a framework.
   * @default understands the messages of all providers and of the AI SDK
   */
  readonly read?: (message: object, at: number) => Entry
}

export interface SessionSearchOptions extends SessionSearchRequest {
  /**
   * Formats the answer.
   * @default the preset's result format
   */
  readonly result?: ResultFormat
  /**
   * How many tools to return. Not clamped to the preset's maximum.
   * @default the limit in the input
   */
  readonly limit?: number
}

export interface TurnOptions {
  /**
   * Tokens of the conversation so far, for activation by `usageShare`.
   * @default 0
   */
  usedTokens?: number
  /**
   * Whether the model may call the search tool in this request. If not, nothing is deferred.
   * @default true
   */
  canSearch?: boolean
  /** A tool that the model is forced to call in this request. It is loaded if it is hidden. */
  toolChoice?: string
  /**
   * What the user said. If a search with these words is sure, up to two hidden tools that it finds
   * are loaded before the model asks for them. It does not count as a search of the model.
   * @default nothing is loaded
   */
  expect?: string
  /**
   * For requests whose prefix must not change: the search tool and its system prompt block stay, even
   * if nothing is hidden anymore. Listed tools stay listed without this setting, too.
   */
  appendOnly?: Pick<AppendOnly, 'reveal' | 'revealed' | 'places' | 'delaysNotice'>
}

/** The dependencies of a session. */
export interface SessionDependencies {
  readonly preset: Preset
  /** The tools that this conversation shares with others. */
  readonly base: ToolSet
  readonly own: OwnToolSet
  /** Creates the own tools of another session. @throws InvalidToolError, DuplicateToolError */
  readonly createOwn: (definitions: readonly ToolDefinition[]) => OwnToolSet
  readonly givenTools: GivenTools
  readonly access: ToolAccess | undefined
  readonly ledger: Ledger
  /** Runs the searches of each session in order. */
  readonly searches: SerialQueue
  readonly announcer: Announcer
  readonly definitions: LoadedDefinitions
  readonly stubLists: StubLists
  readonly snapshotAccess: SnapshotAccess
  readonly notReady: () => readonly SourceState[]
  readonly guards: SearchGuards
  readonly countTokens: CountTokens
  readonly contextWindow: number
  readonly validate?: ValidateArguments | undefined
  /** The tools that messages have loaded. Without `read`, they may have the shape of any provider. */
  readonly findLoaded: (
    messages: readonly object[],
    searchToolName: string,
    read: RebuildOptions['read'],
  ) => Promise<LoadedTools>
  /** In the order in which they are called. */
  readonly handlers: readonly ToolSearchEvents[]
  readonly learned?: LearnedRanking | undefined
  /** Only needed if a handler listens to `onRemoved`. */
  readonly removals?: RemovalTracker | undefined
}

export function createSession(dependencies: SessionDependencies): Session {
  const { preset, base, own, ledger, guards, countTokens, findLoaded, definitions } = dependencies
  const { remote } = base
  const layers = layerTools(dependencies)
  const { divide } = layers
  const searchToolName = preset.searchTool.name
  const {
    search,
    expect: searchExpected,
    createView,
  } = createSessionSearch({
    preset,
    ledger,
    guards,
    tools: layers,
    queue: dependencies.searches,
    notReady: dependencies.notReady,
    version: () => base.tools.version,
    load: loadTools,
    remote,
    learned: dependencies.learned,
  })

  const session: Session = {
    ...createSessionCalls({
      sessionId: ledger.id,
      refresh,
      // with deferral off, a tool of yours can have this name
      isSearch: ({ name }) => name === searchToolName && divide().get(name) === undefined,
      hasSequentialSearch: preset.searchTool.execution === 'sequential',
      reporting: withReport,
      check: (call) =>
        checkCall(call, {
          view: createView(),
          ...(canSearch() && { searchToolName }),
          isUnloaded,
          wasLoaded: isLoaded,
          validate: dependencies.validate,
        }),
      async load(called, report, loadsCalled) {
        const isKept = loadsCalled || preset.unloadedCalls === 'answer'
        const { added } = await loadTools(
          isKept ? called : called.filter(({ name }) => isLoaded(name)),
        )
        await reportLoaded(added, 'call', report)
      },
      search: searchAndReport,
    }),
    id: ledger.id,
    searchTool: preset.searchTool,
    reveal: preset.reveal ?? (preset.announcement.stubs && 'stub'),
    resultIn: preset.resultIn ?? 'lists',
    catalogue: own.tools,
    get loaded() {
      return ledger.record.loaded.map((tool) => tool.name)
    },

    tools: () => divide().visible,

    tool: (name) => divide().get(name),

    removedTools: () =>
      ledger.record.loaded
        .filter(({ name }) => isRemoved(name))
        .flatMap(({ fingerprint }) => definitions.find(fingerprint) ?? []),

    async turn(options = {}) {
      checkTurn(options)
      const { usedTokens = 0, canSearch = true, toolChoice, expect, appendOnly } = options
      // before the turn is planned: if a handler throws, the next turn still has this one's notice
      if (remote) {
        const { revealed = [] } = appendOnly ?? {}
        await refresh([
          ...(toolChoice === undefined ? [] : [toolChoice]),
          ...revealedNames(revealed),
        ])
      }
      await reportRemoved()
      if (canSearch && toolChoice !== undefined) await session.load([toolChoice])
      const found =
        canSearch && expect !== undefined && mayAdd(ledger.record, appendOnly)
          ? await searchExpected(expect, EXPECT_LIMITS.tools)
          : undefined
      const { turn, expected } = await ledger.update((before) => {
        const division = divide()
        const { visible, nameConflicts } = division
        for (const { name } of before.loaded) {
          const tool = division.get(name)
          if (tool) definitions.remember(tool)
        }
        if (!canSearch) {
          // without a search, the model could not reach a hidden tool
          const tools = visible.map(toolText)
          const hasSeenAll = division.deferrable.length > 0 && before.seen !== 'all'
          return {
            record: hasSeenAll ? { ...before, seen: 'all' } : before,
            result: {
              turn: { tools, isListExtended: false, deferred: [], hidden: 0, nameConflicts },
              expected: undefined,
            },
          }
        }
        // stubs can be taken back at any time; only a stable prefix needs them to stay
        const staysActive = preset.announcement.stubs === undefined || appendOnly !== undefined
        const active =
          (before.active && staysActive) ||
          isActive(preset.activation, {
            deferrableTools: division.deferrable.length,
            allTools: visible.length,
            definitionTokens: division.definitionTokens,
            usedTokens,
            contextWindow: dependencies.contextWindow,
          })
        const expected =
          found && mayAdd(before, appendOnly)
            ? chooseExpected(found, {
                division,
                record: { ...before, active },
                appendOnly,
                countTokens,
              })
            : undefined
        const known = withExpected(before, expected)
        const { turn, record } = planTurn({
          division,
          record: known,
          active,
          expected,
          mayHideLater: dependsOnUsage(preset.activation),
          appendOnly: appendOnly && {
            ...appendOnly,
            revealed: withoutListed(appendOnly, known, expected, toolChoice),
            expectsMoreTools: dependencies.notReady().some(({ state }) => state === 'connecting'),
          },
          forced: toolChoice,
          searchTool: preset.searchTool,
          stubs: preset.announcement.stubs,
          stubLists: dependencies.stubLists,
          keepsSearchTool: preset.announcement.keepSearchTool === true,
          announcer: dependencies.announcer,
        })
        return { record, result: { turn, expected } }
      })
      if (found) await reportExpected(expected)
      return turn
    },

    async search(input, options = {}) {
      checkSessionSearch(options)
      return withReport((report) => searchAndReport(input, options, report))
    },

    async load(names) {
      checkNames(names)
      await remote?.fetch(names)
      return withReport(async (report) => {
        const { added } = await loadTools(names.flatMap(toolsToLoad))
        await reportLoaded(added, 'load', report)
        return added
      })
    },

    async compacted() {
      guards.forget(ledger.id)
      await ledger.compacted()
    },

    async rebuild(messages, { nameOf = (name: string) => name, read } = {}) {
      checkMessages(messages)
      const { found, described } = await findLoaded(messages.filter(isObject), searchToolName, read)
      const noticed = new Set(described.map(nameOf))
      // a set, because the same tool can have two names in the messages
      const names = [...new Set([...found.map(nameOf), ...noticed])]
      await remote?.fetch(names)
      const tools = names.flatMap((name) => divide().get(name) ?? []).filter(isDeferrable)
      const loaded = preset.loading === 'none' ? [] : tools.map(toLoaded)
      guards.forget(ledger.id)
      const added = await ledger.update((record) => {
        // tools that were listed without being loaded stay listed
        const before = new Set(record.loaded.map((tool) => tool.name))
        const sent = record.sent.filter((name) => !before.has(name))
        const result = loaded.map(({ name }) => name).filter((name) => !before.has(name))
        const described = [...noticed].filter((name) => divide().get(name) !== undefined)
        const { described: _, ...known } = record
        const next = { ...known, loaded, sent, ...(described.length > 0 && { described }) }
        return { record: next, result }
      })
      await withReport((report) => reportLoaded(added, 'rebuild', report))
      return session.loaded
    },

    withTools(definitions) {
      checkDefinitions(definitions)
      const given = dependencies.givenTools(definitions, (name) => divide().get(name))
      // requests do not contain skills, so callers that pass their tools cannot pass them
      const skills = divide().skills.filter(({ name }) => !given.tools.has(name))
      return createSession({ ...dependencies, base: given, own: dependencies.createOwn(skills) })
    },

    async fork(id, options = {}) {
      checkFork(id, options)
      return createSession({
        ...dependencies,
        base: remote?.fork() ?? base,
        own: dependencies.createOwn(own.tools.tools()),
        ledger: await ledger.fork(id, options),
      })
    },

    async snapshot() {
      await ledger.refresh()
      return { version: 2, id: ledger.id, record: ledger.record, ...dependencies.snapshotAccess }
    },

    report: (turn) =>
      savingsReport(
        { tools: divide().visible, sent: turn.tools, announcement: turn.system },
        countTokens,
      ),

    close: () => void own.tools.remove(own.tools.tools().map((tool) => tool.name)),
  }
  return closable(session)

  async function searchAndReport(
    input: unknown,
    { result = preset.result, ...options }: SessionSearchOptions,
    report: Report,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }> {
    const { outcome, loaded } = await search(input, options)
    const context = {
      visible: () => divide().visible,
      hasSkills: () => divide().skills.length > 0,
      searchToolName,
      countTokens,
    }
    const answer = checkedAnswer(result(outcome, context))
    await report('onSearch', { outcome, answer, by: 'search' })
    await reportLoaded(loaded, 'search', report)
    remote?.release(loaded)
    return { outcome, answer }
  }

  async function reportExpected(expected: ExpectedTools | undefined): Promise<void> {
    const names = expected?.tools.map(({ name }) => name) ?? []
    expected?.tools.forEach(definitions.remember)
    await withReport(async (report) => {
      if (!expected) return
      const { outcome, answer } = expected
      await report('onSearch', { outcome, answer, by: 'expect' })
      await reportLoaded(preset.loading === 'none' ? [] : names, 'expect', report)
    })
    remote?.release(names)
  }

  async function refresh(called: readonly string[] = []): Promise<void> {
    await ledger.refresh()
    const { loaded, sent } = ledger.record
    await remote?.keep([...loaded.map(({ name }) => name), ...sent], called)
  }

  /** Whether the model has the search tool. */
  function canSearch(): boolean {
    const { onRequest, skills } = divide()
    return ledger.record.active || onRequest.length + skills.length > 0
  }

  function isUnloaded(tool: Tool): boolean {
    return (
      preset.unloadedCalls === 'answer' &&
      preset.loading !== 'none' &&
      isUnseen(tool, divide(), ledger.record)
    )
  }

  function isLoaded(name: string): boolean {
    return ledger.record.loaded.some((tool) => tool.name === name)
  }

  /** A skill stands for the tools that it names. */
  function toolsToLoad(name: string): readonly Tool[] {
    const division = divide()
    const names = division.skill(name)?.skill?.tools ?? [name]
    return names.flatMap((each) => division.get(each) ?? [])
  }

  function isDeferrable(tool: Tool): boolean {
    return divide().deferral(tool) !== 'eager'
  }

  /** Not only hidden from this caller. */
  function isRemoved(name: string): boolean {
    if (base.tools.has(name) || own.tools.has(name)) return false
    return dependencies.access?.isAllowedName?.(name) !== false
  }

  async function loadTools(tools: readonly Tool[]): Promise<LoadResult> {
    tools.forEach(definitions.remember)
    return ledger.load(tools.filter(isDeferrable).map(toLoaded))
  }

  function withReport<Result>(work: (report: Report) => Promise<Result>): Promise<Result> {
    return reporting(ledger.id, dependencies.handlers, work)
  }

  async function reportLoaded(
    names: readonly string[],
    by: LoadedEvent['by'],
    report: Report,
  ): Promise<void> {
    if (names.length === 0) return
    dependencies.removals?.add(ledger.id, names)
    const tools = names.flatMap((name) => divide().get(name) ?? [])
    await report('onLoaded', { tools, by })
  }

  async function reportRemoved(): Promise<void> {
    const { removals } = dependencies
    if (removals === undefined) return
    await ledger.refresh()
    const division = divide()
    const isUsable = (name: string) => division.get(name) !== undefined
    const names = removals.update(ledger.id, session.loaded, isUsable)
    if (names.length > 0) await withReport((report) => report('onRemoved', { names }))
  }

  function withExpected(before: SessionRecord, expected: ExpectedTools | undefined): SessionRecord {
    if (!expected) return before
    const { tools, notice } = expected
    const names = tools.map(({ name }) => name)
    const { record } =
      preset.loading === 'none' ? { record: before } : addLoaded(before, tools.map(toLoaded))
    if (notice === '') return record
    return { ...record, described: [...new Set([...(record.described ?? []), ...names])] }
  }
}

/** Whether `expect` can add a tool to a request without changing what earlier requests had. */
function mayAdd({ active, sent, seen }: SessionRecord, appendOnly: TurnOptions['appendOnly']) {
  if (appendOnly === undefined || expectedIn(appendOnly) !== 'listed') return true
  // the tools can only be listed, which changes nothing in the first request
  return !active && sent.length === 0 && seen === undefined
}

/** The tools that the messages contain or will contain, so that the list does not. */
function withoutListed(
  appendOnly: AppendOnly,
  { described = [] }: SessionRecord,
  expected: ExpectedTools | undefined,
  forced: string | undefined,
): NonNullable<AppendOnly['revealed']> {
  const { revealed, places } = appendOnly
  const form = expectedIn(appendOnly)
  if (revealed === 'loaded' || form === 'listed') return revealed ?? new Set()
  // a caller who reads the messages knows which notices are left, unless the session keeps them
  const isKnown = form === 'described' && (revealed === undefined || places !== undefined)
  const added = expected?.tools.map(({ name }) => name) ?? []
  const kept = isKnown ? described.filter((name) => name !== forced) : []
  return new Set([...(revealed ?? []), ...kept, ...added])
}

function revealedNames(revealed: ReadonlySet<string> | readonly string[] | 'loaded'): string[] {
  return revealed === 'loaded' ? [] : [...revealed]
}

function toLoaded(tool: Tool): LoadedTool {
  return { name: tool.name, fingerprint: toolFingerprint(tool) }
}
