import type { Catalogue } from '../catalogue/catalogue.ts'
import { isEqual } from '../catalogue/is-equal.ts'
import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import { dependsOnUsage, isActive } from '../policy/activation.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { Ledger } from '../stores/ledger.ts'
import type { SessionAddition } from '../stores/session-record.ts'
import type { SessionSnapshot } from '../stores/session-snapshot.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { type SavingsReport, savingsReport } from '../tokens/savings-report.ts'
import { toolText } from '../tokens/tool-tokens.ts'
import type { ValidateArguments } from '../tool-search/check-arguments.ts'
import { checkCall, type ToolCall } from '../tool-search/check-call.ts'
import type { HistoryReader } from '../tool-search/history-reader.ts'
import { readHistory } from '../tool-search/read-history.ts'
import { readSearchArguments } from '../tool-search/read-search-arguments.ts'
import { runSearch, type SearchReasons } from '../tool-search/run-search.ts'
import type { Answer, ResultFormat } from '../tool-search/search-answer.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'
import type { SearchGuards } from '../tool-search/search-guards.ts'
import type { SearchOutcome, SearchProblem } from '../tool-search/search-outcome.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { Preset } from './preset.ts'
import { isHidden, type ToolDivision } from './tool-division.ts'
import { type AppendOnly, planTurn, type Turn } from './turn.ts'

/** One conversation: what each request contains, and how to answer the model's calls. */
export interface Session {
  readonly id: string
  /** Names of the loaded tools in loading order. Some may no longer be in the catalogue. */
  readonly loaded: readonly string[]
  /** The definition of the search tool. */
  readonly searchTool: SearchTool
  /** Plans the next request. Call it once per request, after answering all calls in the last reply. */
  turn(options?: TurnOptions): Promise<Turn>
  /** All tools that this conversation may use, in catalogue order. */
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /**
   * Handles a call from the model. Resolves to undefined if you should execute the tool. Otherwise
   * resolves to the result to return to the model: for a search, for a call to a tool that is not
   * loaded yet or does not exist, and for invalid arguments.
   */
  answer(call: ToolCall): Promise<CallAnswer | undefined>
  /**
   * Searches and loads the hits. `outcome` is the result as data, `answer` is what the model should
   * receive.
   */
  search(
    input: unknown,
    options?: SessionSearchOptions,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }>
  /** Loads tools without a search, for example the tool of a forced tool choice. */
  load(names: readonly string[]): Promise<readonly string[]>
  /** Call this after you replace the history with a summary. */
  compacted(): Promise<void>
  /**
   * Replaces the loaded tools with those found in the messages of a conversation. `nameOf` maps a
   * name in the messages to a tool name, if they differ.
   */
  rebuild(
    messages: readonly unknown[],
    nameOf?: (name: string) => string,
  ): Promise<readonly string[]>
  /**
   * The same conversation, restricted to these tools, for callers that pass their tools with each
   * request. Adds the tools to the shared catalogue. If a tool exists, fields that its definition
   * omits keep their values.
   * @throws InvalidToolError
   */
  withTools(definitions: readonly ToolDefinition[]): Session
  /** Opens a separate session for a subagent, without the loaded tools unless `loaded` is true. */
  fork(id: string, options?: { loaded?: boolean }): Promise<Session>
  snapshot(): SessionSnapshot
  /** Compares the tokens of this turn with sending every tool. */
  report(turn: Turn): SavingsReport
}

/** What the model receives instead of the tool's result. */
export interface CallAnswer extends Answer {
  /** The called tool, if it was not loaded yet. It is loaded now. */
  readonly unloadedTool?: Tool
}

export interface SessionSearchOptions extends SearchReasons {
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
   * For requests whose prefix must not change: tools listed in an earlier request stay listed, and
   * so do the search tool and its system prompt block.
   */
  appendOnly?: Pick<AppendOnly, 'revealed' | 'hiddenAs'>
}

/** The dependencies of a session. */
export interface SessionDependencies {
  readonly preset: Preset
  readonly catalogue: Catalogue
  readonly ranker: Ranker
  readonly ledger: Ledger
  readonly divide: () => ToolDivision
  /** Like `divide`, restricted to tools with these names. */
  readonly divideWithin: (names: ReadonlySet<string>) => () => ToolDivision
  readonly notReady: () => readonly SourceState[]
  readonly guards: SearchGuards
  readonly countTokens: CountTokens
  readonly contextWindow: number
  readonly validate?: ValidateArguments | undefined
  /** The message shapes that `rebuild` understands. */
  readonly historyReaders: readonly HistoryReader[]
}

export function createSession(dependencies: SessionDependencies): Session {
  const { preset, catalogue, ranker, ledger, divide, guards, countTokens, historyReaders } =
    dependencies
  const searchToolName = preset.searchTool.name
  let sentAllTools = false

  const session: Session = {
    id: ledger.id,
    searchTool: preset.searchTool,
    get loaded() {
      return ledger.record.loaded.map((tool) => tool.name)
    },

    tools: () => divide().visible,

    tool: (name) => divide().get(name),

    async turn({ usedTokens = 0, canSearch = true, toolChoice, appendOnly } = {}) {
      await ledger.refresh()
      const division = divide()
      const { visible, nameConflicts } = division
      // without a search, the model could not reach a hidden tool
      sentAllTools = !canSearch
      if (!canSearch)
        return { tools: visible.map(toolText), deferred: [], hidden: 0, nameConflicts }
      if (toolChoice !== undefined) await session.load([toolChoice])
      const active =
        ledger.record.active ||
        isActive(preset.activation, {
          deferrableTools: division.deferrable.length,
          allTools: visible.length,
          definitionTokens: division.definitionTokens,
          usedTokens,
          contextWindow: dependencies.contextWindow,
        })
      const { searchTool, announcement } = preset
      const { turn, addition } = planTurn({
        division,
        record: ledger.record,
        active,
        mayHideLater: dependsOnUsage(preset.activation),
        appendOnly: appendOnly && {
          ...appendOnly,
          expectsMoreTools: dependencies.notReady().some(({ state }) => state === 'connecting'),
        },
        forced: toolChoice,
        searchTool,
        announcement,
        countTokens,
      })
      await remember({ ...addition, ...(active && turn.hidden > 0 && { active }) })
      return turn
    },

    async answer(call) {
      if (call.name === searchToolName) return (await session.search(call.arguments)).answer
      const tool = divide().get(call.name)
      const wasUnloaded = tool !== undefined && isUnloaded(tool)
      const check = checkCall(call, {
        view: createView(),
        searchToolName,
        isUnloaded: () => wasUnloaded,
        validate: dependencies.validate,
      })
      // a tool that was used before deferral started must stay available
      if (check.tool) await session.load([check.tool.name])
      if (check.ok) return undefined
      return { ...check.answer, ...(wasUnloaded && { unloadedTool: tool }) }
    },

    async search(input, { result = preset.result, ...options } = {}) {
      const outcome = await search(input, options)
      const answer = result(outcome, {
        visible: () => divide().visible,
        searchToolName,
        countTokens,
      })
      return { outcome, answer }
    },

    async load(names) {
      const tools = names.flatMap((name) => divide().get(name) ?? [])
      return loadTools(tools)
    },

    async compacted() {
      guards.forget(ledger.id)
      await ledger.compacted()
    },

    async rebuild(messages, nameOf = (name) => name) {
      const names = readHistory(messages, { searchToolName, readers: historyReaders }).map(nameOf)
      const tools = names.flatMap((name) => divide().get(name) ?? []).filter(isDeferrable)
      const loaded = preset.loading === 'none' ? [] : tools.map(toLoaded)
      guards.forget(ledger.id)
      // loaded tools were announced earlier; with them, a new list is identical to the first one
      const announced = [
        ...new Set([...ledger.record.announced, ...loaded.map(({ name }) => name)]),
      ]
      await ledger.replace({ ...ledger.record, loaded, sent: [], announced })
      return session.loaded
    },

    withTools(definitions) {
      const changed = definitions
        .filter((definition) => !isUnchanged(definition))
        .map((definition) => ({ ...catalogue.get(definition.name), ...definition }))
      catalogue.add(changed, { duplicates: 'replace' })
      const names = new Set(definitions.map((definition) => definition.name))
      return createSession({ ...dependencies, divide: dependencies.divideWithin(names) })
    },

    async fork(id, options) {
      return createSession({ ...dependencies, ledger: await ledger.fork(id, options) })
    },

    snapshot: () => ({ version: 1, id: ledger.id, record: ledger.record }),

    report: (turn) =>
      savingsReport(
        { tools: divide().visible, sent: turn.tools, announcement: turn.system },
        countTokens,
      ),
  }
  return session

  async function search(
    input: unknown,
    options: Omit<SessionSearchOptions, 'result'>,
  ): Promise<SearchOutcome> {
    const read = readSearchArguments(input, preset)
    if ('problem' in read) return refuse('', read.problem)
    const query = parseQuery(read.query, preset.syntax)
    if (query.kind === 'words') await ranker.prepare?.(query.text)
    const view = createView()
    const request = { query, text: read.query, limit: read.limit, ...options }
    const outcome = runSearch(request, view, preset)
    // an invalid search does not count towards the rate limit
    if (outcome.problem) return outcome
    if (!guards.admit(ledger.id)) return refuse(read.query, rateLimitProblem())
    await loadTools(outcome.hits.filter((hit) => hit.status === 'loaded').map((hit) => hit.tool))
    const state = [catalogue.version, session.loaded, view.notReady()]
    const repeats = guards.repeats(ledger.id, JSON.stringify([read.query, request.limit, state]))
    return { ...outcome, repeats }
  }

  function refuse(query: string, problem: SearchProblem): SearchOutcome {
    const view = createView()
    return {
      query,
      form: 'blank',
      hits: [],
      missing: [],
      capped: 0,
      closest: [],
      abstained: false,
      notReady: view.notReady(),
      deferrable: view.deferrable(),
      remaining: view.remainingAfter([]),
      repeats: 0,
      problem,
    }
  }

  function rateLimitProblem(): SearchProblem {
    const { calls, windowMs } = preset.rateLimit!
    const searches = calls === 1 ? '1 search' : `${calls} searches`
    const message =
      `Session "${ledger.id}" has reached the limit of ${searches} in ${windowMs / 1000} s. ` +
      'Use the tools you already found, or search again later.'
    return { code: 'rate_limited', message }
  }

  function createView(): SearchView {
    const division = divide()
    const loaded = new Map(ledger.record.loaded.map((tool) => [tool.name, tool.fingerprint]))
    return {
      ranker,
      get: division.get,
      isVisible: division.isVisible,
      tools: () => division.visible,
      notReady: dependencies.notReady,
      deferrable: () => division.deferrable.length,
      status(tool) {
        if (!isDeferrable(tool)) return 'always-on'
        if (preset.loading === 'none') return 'found'
        // the model has not seen a definition that changed after it was loaded
        const isCurrent = loaded.get(tool.name) === toolFingerprint(tool)
        return isCurrent ? 'already-loaded' : 'loaded'
      },
      remainingAfter(hits) {
        if (preset.loading === 'none') return division.deferrable.length
        // counted from the few loaded names: there can be 100,000 deferrable tools
        const names = new Set([...loaded.keys(), ...hits.map((tool) => tool.name)])
        let remaining = division.deferrable.length
        for (const name of names) {
          const tool = division.get(name)
          if (tool && isDeferrable(tool)) remaining--
        }
        return remaining
      },
    }
  }

  function isUnloaded(tool: Tool): boolean {
    return (
      preset.unloadedCalls === 'answer' &&
      preset.loading !== 'none' &&
      !sentAllTools &&
      !ledger.record.sent.includes(tool.name) &&
      isHidden(tool, divide(), ledger.record)
    )
  }

  // comparing is cheaper than validating the definition again
  function isUnchanged(definition: ToolDefinition): boolean {
    const tool = catalogue.get(definition.name)
    if (tool === undefined) return false
    return Object.entries(definition).every(([key, value]) =>
      isEqual(tool[key as keyof Tool], value),
    )
  }

  function isDeferrable(tool: Tool): boolean {
    return divide().deferral(tool) !== 'eager'
  }

  async function loadTools(tools: readonly Tool[]): Promise<readonly string[]> {
    return ledger.load(tools.filter(isDeferrable).map(toLoaded))
  }

  async function remember(addition: SessionAddition): Promise<void> {
    const isChange = Object.entries(addition).some(([key, value]) =>
      Array.isArray(value)
        ? value.length > 0
        : value !== ledger.record[key as 'active' | 'announcement'],
    )
    if (isChange) await ledger.add(addition)
  }
}

function toLoaded(tool: Tool): { name: string; fingerprint: string } {
  return { name: tool.name, fingerprint: toolFingerprint(tool) }
}
