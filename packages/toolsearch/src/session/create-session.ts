import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'
import type { LoadResult } from '../stores/session-record.ts'
import type { SnapshotAccess } from '../stores/session-snapshot.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { savingsReport } from '../tokens/savings-report.ts'
import type { ValidateArguments } from '../tool-search/check-arguments.ts'
import { checkCall } from '../tool-search/check-call.ts'
import { type Answer, checkedAnswer } from '../tool-search/search-answer.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import type { LoadedTools } from '../transcript/loaded-tools.ts'
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
import type { Report } from './events.ts'
import { EXPECT_LIMITS, type ExpectedTools, mayExpect } from './expect.ts'
import { layerTools } from './layered-tools.ts'
import type { LoadedDefinitions } from './loaded-definitions.ts'
import { rebuildRecord, toLoaded } from './rebuild-record.ts'
import type { RequestToolSets } from './request-tool-sets.ts'
import type { RebuildOptions, Session, SessionSearchOptions, TurnOptions } from './session.ts'
import { createSessionCalls } from './session-calls.ts'
import { createSessionReports, type SessionReportsOptions } from './session-reports.ts'
import { createSessionSearch, type SessionSearchDependencies } from './session-search.ts'
import type { StubLists } from './stub-lists.ts'
import { takeTurn } from './take-turn.ts'
import { isHidden, type ToolAccess } from './tool-division.ts'
import type { OwnToolSet } from './tool-set.ts'

/** The dependencies of a session. */
export interface SessionDependencies
  extends Omit<SessionSearchDependencies, 'tools' | 'load'>,
    Omit<SessionReportsOptions, 'divide'> {
  readonly own: OwnToolSet
  /** Creates the own tools of another session. @throws InvalidToolError, DuplicateToolError */
  readonly createOwn: (definitions: readonly ToolDefinition[]) => OwnToolSet
  readonly requestToolSets: RequestToolSets
  readonly access: ToolAccess | undefined
  readonly announcer: Announcer
  readonly definitions: LoadedDefinitions
  readonly stubLists: StubLists
  readonly snapshotAccess: SnapshotAccess
  readonly countTokens: CountTokens
  readonly contextWindow: number
  readonly validate?: ValidateArguments | undefined
  /** The tools that messages have loaded. Without `read`, they may have the shape of any provider. */
  readonly findLoaded: (
    messages: readonly object[],
    searchToolName: string,
    read: RebuildOptions['read'],
  ) => Promise<LoadedTools>
}

/** Opens a conversation. Each method reads the record, takes one step, and reports what has changed. */
export function createSession(dependencies: SessionDependencies): Session {
  const { preset, base, own, stored, guards, countTokens, definitions } = dependencies
  const { remote } = base
  const layers = layerTools(dependencies)
  const { divide } = layers
  const reports = createSessionReports({ ...dependencies, divide })
  const searchToolName = preset.searchTool.name
  const searches = createSessionSearch({ ...dependencies, tools: layers, load: loadTools })

  const session: Session = {
    ...createSessionCalls({
      sessionId: stored.id,
      refresh,
      // with deferral off, a tool of yours can have this name
      isSearch: ({ name }) => name === searchToolName && divide().get(name) === undefined,
      hasSequentialSearch: preset.searchTool.execution === 'sequential',
      reporting: reports.during,
      check: (call) =>
        checkCall(call, {
          view: searches.createView(),
          ...(canSearch() && { searchToolName }),
          isHidden: mustLoad,
          wasLoaded: isLoaded,
          validate: dependencies.validate,
        }),
      async load(called, report, loadsCalled) {
        const isKept = loadsCalled || preset.unloadedCalls === 'answer'
        const { added } = await loadTools(
          isKept ? called : called.filter(({ name }) => isLoaded(name)),
        )
        await reports.loaded(added, 'call', report)
      },
      search,
    }),
    id: stored.id,
    searchTool: preset.searchTool,
    reveal: preset.reveal ?? (preset.announcement.stubs && 'stub'),
    resultIn: preset.result.usedIn,
    catalogue: own.tools,
    get loaded() {
      return stored.record.loaded.map((tool) => tool.name)
    },

    tools: () => divide().visible,

    tool: (name) => divide().get(name),

    removedTools: () =>
      stored.record.loaded
        .filter(({ name }) => isRemoved(name))
        .flatMap(({ fingerprint }) => definitions.find(fingerprint) ?? []),

    async turn(options = {}) {
      checkTurn(options)
      const { canSearch = true, toolChoice, appendOnly } = options
      // before the turn is planned: if a handler throws, the next turn still has this one's notice
      if (remote)
        await refresh([
          ...(toolChoice === undefined ? [] : [toolChoice]),
          ...namesRevealed(options),
        ])
      await reports.removed()
      if (canSearch && toolChoice !== undefined) await session.load([toolChoice])
      const expects =
        canSearch && options.expect !== undefined && mayExpect(stored.record, appendOnly)
      const found = expects
        ? await searches.expect(options.expect!, EXPECT_LIMITS.tools)
        : undefined
      const { turn, expected } = await stored.update((before) =>
        takeTurn(before, {
          ...dependencies,
          division: divide(),
          options,
          found,
          isConnecting: dependencies.notReady().some(({ state }) => state === 'connecting'),
        }),
      )
      stored.record.loaded
        .flatMap(({ name }) => divide().get(name) ?? [])
        .forEach(definitions.remember)
      if (found) await reportExpected(expected)
      return turn
    },

    async search(input, options = {}) {
      checkSessionSearch(options)
      return reports.during((report) => search(input, options, report))
    },

    async load(names) {
      checkNames(names)
      await remote?.fetch(names)
      return reports.during(async (report) => {
        const { added } = await loadTools(names.flatMap(toolsToLoad))
        await reports.loaded(added, 'load', report)
        return added
      })
    },

    async compacted() {
      guards.forget(stored.id)
      await stored.compacted()
    },

    async rebuild(messages, { nameOf = (name: string) => name, read } = {}) {
      checkMessages(messages)
      const { found, described } = await dependencies.findLoaded(
        messages.filter(isObject),
        searchToolName,
        read,
      )
      const noticed = new Set(described.map(nameOf))
      // a set, because the same tool can have two names in the messages
      const names = new Set([...found.map(nameOf), ...noticed])
      await remote?.fetch(names)
      const tools = [...names].flatMap((name) => divide().get(name) ?? []).filter(isDeferrable)
      const history = {
        loaded: preset.loading === 'none' ? [] : tools.map(toLoaded),
        described: [...noticed].filter((name) => divide().get(name) !== undefined),
      }
      guards.forget(stored.id)
      const added = await stored.update((record) => rebuildRecord(record, history))
      await reports.during((report) => reports.loaded(added, 'rebuild', report))
      return session.loaded
    },

    withTools(definitions) {
      checkDefinitions(definitions)
      const given = dependencies.requestToolSets(definitions, (name) => divide().get(name))
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
        stored: await stored.fork(id, options),
      })
    },

    async snapshot() {
      await stored.refresh()
      return { version: 2, id: stored.id, record: stored.record, ...dependencies.snapshotAccess }
    },

    report: (turn) =>
      savingsReport(
        { tools: divide().visible, sent: turn.tools, announcement: turn.system },
        countTokens,
      ),

    close: () => void own.tools.remove(own.tools.tools().map((tool) => tool.name)),
  }
  return closable(session)

  async function search(
    input: unknown,
    { result = preset.result, ...options }: SessionSearchOptions,
    report: Report,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }> {
    const context = {
      visible: () => divide().visible,
      hasSkills: () => divide().skills.length > 0,
      searchToolName,
      countTokens,
    }
    const { outcome, loaded, answer } = await searches.search(input, options, (found) =>
      checkedAnswer(result(found, context)),
    )
    await report('onSearch', { outcome, answer, by: 'search' })
    await reports.loaded(loaded, 'search', report)
    return { outcome, answer }
  }

  async function refresh(called: readonly string[] = []): Promise<void> {
    await stored.refresh()
    const { loaded, sent } = stored.record
    await remote?.keep([...loaded.map(({ name }) => name), ...sent], called)
  }

  /** Whether the model has the search tool. */
  function canSearch(): boolean {
    const { alwaysDeferred, skills } = divide()
    const { active, searchable } = stored.record
    return active || searchable === true || alwaysDeferred.length + skills.length > 0
  }

  /** Whether a call to the tool is answered with its schema. */
  function mustLoad(tool: Tool): boolean {
    return (
      preset.unloadedCalls === 'answer' &&
      preset.loading !== 'none' &&
      isHidden(tool, divide(), stored.record)
    )
  }

  function isLoaded(name: string): boolean {
    return stored.record.loaded.some((tool) => tool.name === name)
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

  /** No longer in the catalogue, and not only concealed from this caller. */
  function isRemoved(name: string): boolean {
    if (base.tools.has(name) || own.tools.has(name)) return false
    return dependencies.access?.isAllowedName?.(name) !== false
  }

  async function loadTools(tools: readonly Tool[]): Promise<LoadResult> {
    tools.forEach(definitions.remember)
    return stored.load(tools.filter(isDeferrable).map(toLoaded))
  }

  async function reportExpected(expected: ExpectedTools | undefined): Promise<void> {
    const names = expected?.tools.map(({ name }) => name) ?? []
    if (expected) {
      const { outcome, answer } = expected
      await reports.during(async (report) => {
        await report('onSearch', { outcome, answer, by: 'expect' })
        await reports.loaded(preset.loading === 'none' ? [] : names, 'expect', report)
      })
    }
    remote?.release(names)
  }
}

/** The tools that the messages of a request reveal. */
function namesRevealed({ appendOnly }: TurnOptions): readonly string[] {
  const { revealed = [] } = appendOnly ?? {}
  return revealed === 'loaded' ? [] : [...revealed]
}
