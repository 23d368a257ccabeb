import type { Catalogue } from '../catalogue/catalogue.ts'
import { fingerprint } from '../catalogue/fingerprint.ts'
import { isEqual } from '../catalogue/is-equal.ts'
import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import { dependsOnUse, isActive } from '../policy/activation.ts'
import type { Preset } from '../presets/preset.ts'
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
import { readArguments } from '../tool-search/read-arguments.ts'
import { readHistory } from '../tool-search/read-history.ts'
import { runSearch, type SearchReasons } from '../tool-search/run-search.ts'
import type { Answer, ResultFormat } from '../tool-search/search-answer.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'
import type { SearchGuards } from '../tool-search/search-guards.ts'
import type { SearchOutcome, SearchProblem } from '../tool-search/search-outcome.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import { isHidden, type ToolDivision } from './tool-division.ts'
import { type AppendOnly, planTurn, type Turn } from './turn.ts'

/** One conversation: what to send in it, and what to say to the model's calls. */
export interface Session {
  readonly id: string
  /** Names of the loaded tools, in the order of loading. Some may be gone from the catalogue. */
  readonly loaded: readonly string[]
  /** What a request says of the search tool, when it carries one. */
  readonly searchTool: SearchTool
  /** What to send now. Call it once for each request, after the answers to the last reply. */
  turn(options?: TurnOptions): Promise<Turn>
  /** Every tool this conversation may use, in catalogue order. */
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /**
   * Takes any call the model makes. Resolves to what the model should get if the call was ours to
   * answer: a search, a tool not loaded yet, arguments that do not fit. Resolves to undefined if
   * the caller should run the tool.
   */
  answer(call: ToolCall): Promise<CallAnswer | undefined>
  /** Runs a search. `outcome` holds the results as data; `answer` is what the model should get. */
  search(
    input: unknown,
    options?: SessionSearchOptions,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }>
  /** Loads tools without a search, for instance one that a forced tool choice names. */
  load(names: readonly string[]): Promise<readonly string[]>
  /** To be told when the history was replaced by a summary. */
  compacted(): Promise<void>
  /**
   * Takes what is loaded from the messages of a conversation, in place of what is known.
   * `nameOf` gives the tool for a name in the messages, where they differ.
   */
  rebuild(
    messages: readonly unknown[],
    nameOf?: (name: string) => string,
  ): Promise<readonly string[]>
  /**
   * The same conversation with these tools and no others, for callers that bring their tools along
   * with each request. They are put into the catalogue, where other conversations may have more;
   * what it knows of them besides is kept.
   * @throws InvalidToolError
   */
  withTools(definitions: readonly ToolDefinition[]): Session
  /** A session for a subagent: it searches on its own, and starts with or without what is loaded. */
  fork(id: string, options?: { loaded?: boolean }): Promise<Session>
  snapshot(): SessionSnapshot
  /** What this turn costs beside sending every tool. */
  report(turn: Turn): SavingsReport
}

/** What the model should get in place of a call's result. */
export interface CallAnswer extends Answer {
  /** A tool whose schema the model had not seen when it called. */
  readonly unloadedTool?: Tool
}

export interface SessionSearchOptions extends SearchReasons {
  /**
   * How the answer is written.
   * @default the preset's result format
   */
  readonly result?: ResultFormat
}

export interface TurnOptions {
  /**
   * Tokens the conversation takes so far, for an activation by use.
   * @default 0
   */
  usedTokens?: number
  /**
   * Whether the model may call the search tool in this request. If not, nothing is deferred.
   * @default true
   */
  canSearch?: boolean
  /** A tool the model is made to call in this request; it is loaded if it is hidden. */
  toolChoice?: string
  /**
   * For a request whose beginning must stay as it is. What an earlier request listed stays listed,
   * and so do the search tool and its block once they were sent.
   */
  appendOnly?: Pick<AppendOnly, 'revealed' | 'hiddenAs'>
}

/** What a session needs from its surroundings. */
export interface SessionParts {
  readonly preset: Preset
  readonly catalogue: Catalogue
  readonly ranker: Ranker
  readonly ledger: Ledger
  readonly divide: () => ToolDivision
  /** Divides no more than the tools of these names. */
  readonly divideWithin: (names: ReadonlySet<string>) => () => ToolDivision
  readonly notReady: () => readonly SourceState[]
  readonly guards: SearchGuards
  readonly countTokens: CountTokens
  readonly contextWindow: number
  readonly validate?: ValidateArguments | undefined
}

export function createSession(parts: SessionParts): Session {
  const { preset, catalogue, ranker, ledger, divide, guards, countTokens } = parts
  const searchToolName = preset.searchTool.name
  let everythingSent = false

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
      // without a way to search, a hidden tool would be out of reach
      everythingSent = !canSearch
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
          contextWindow: parts.contextWindow,
        })
      const { searchTool, announcement } = preset
      const { turn, addition } = planTurn({
        division,
        record: ledger.record,
        active,
        mayTakeBack: dependsOnUse(preset.activation),
        appendOnly: appendOnly && {
          ...appendOnly,
          expectsMore: parts.notReady().some(({ state }) => state === 'connecting'),
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
      const isUnseen = tool !== undefined && isUnloaded(tool)
      const check = checkCall(call, {
        view: createView(),
        searchToolName,
        isUnloaded: () => isUnseen,
        validate: parts.validate,
      })
      // a tool in use before deferral began must not vanish when it begins
      if (check.tool) await session.load([check.tool.name])
      if (check.ok) return undefined
      return { ...check.answer, ...(isUnseen && { unloadedTool: tool }) }
    },

    async search(input, { result = preset.result, ...reasons } = {}) {
      const outcome = await search(input, reasons)
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
      const names = readHistory(messages, searchToolName).map(nameOf)
      const tools = names.flatMap((name) => divide().get(name) ?? []).filter(isDeferrable)
      const loaded = preset.loading === 'none' ? [] : tools.map(toLoaded)
      guards.forget(ledger.id)
      // what was loaded had been announced: a list made anew is then the same as the first
      const announced = [
        ...new Set([...ledger.record.announced, ...loaded.map(({ name }) => name)]),
      ]
      await ledger.replace({ ...ledger.record, loaded, sent: [], announced })
      return session.loaded
    },

    withTools(definitions) {
      const changed = definitions
        .filter((one) => !isKnown(one))
        .map((one) => ({ ...catalogue.get(one.name), ...one }))
      catalogue.add(changed, { duplicates: 'replace' })
      const names = new Set(definitions.map((one) => one.name))
      return createSession({ ...parts, divide: parts.divideWithin(names) })
    },

    async fork(id, options) {
      return createSession({ ...parts, ledger: await ledger.fork(id, options) })
    },

    snapshot: () => ({ version: 1, id: ledger.id, record: ledger.record }),

    report: (turn) =>
      savingsReport(
        { tools: divide().visible, sent: turn.tools, announcement: turn.system },
        countTokens,
      ),
  }
  return session

  async function search(input: unknown, reasons: SearchReasons): Promise<SearchOutcome> {
    const read = readArguments(input, preset)
    if ('problem' in read) return refused('', read.problem)
    const query = parseQuery(read.query, preset.syntax)
    if (query.kind === 'words') await ranker.prepare?.(query.text)
    const view = createView()
    const request = { query, text: read.query, limit: read.limit, ...reasons }
    const outcome = runSearch(request, view, preset)
    // a search that was refused for what it asked costs nothing
    if (outcome.problem) return outcome
    if (!guards.admit(ledger.id)) return refused(read.query, tooMany())
    await loadTools(outcome.hits.filter((hit) => hit.status === 'loaded').map((hit) => hit.tool))
    const state = [catalogue.version, session.loaded, view.notReady()]
    const repeats = guards.repeats(ledger.id, JSON.stringify([read, state]))
    return { ...outcome, repeats }
  }

  function refused(query: string, problem: SearchProblem): SearchOutcome {
    const blank = { kind: 'blank', text: '' } as const
    const none = runSearch({ query: blank, text: '', limit: 0 }, createView(), preset)
    return { ...none, query, form: 'blank', hits: [], problem }
  }

  function tooMany(): SearchProblem {
    const { calls, windowMs } = preset.rateLimit!
    const message =
      `Session "${ledger.id}" has made ${calls} searches in ${windowMs / 1000} s, which is the ` +
      'limit. Use the tools already found, or wait.'
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
      notReady: parts.notReady,
      deferrable: () => division.deferrable.length,
      status(tool) {
        if (!isDeferrable(tool)) return 'always-on'
        if (preset.loading === 'none') return 'found'
        // a definition that changed since it was loaded is news to the model
        const seen = loaded.get(tool.name)
        return seen !== undefined && seen === fingerprint(tool) ? 'already-loaded' : 'loaded'
      },
      remainingAfter(hits) {
        if (preset.loading === 'none') return division.deferrable.length
        const names = new Set([...loaded.keys(), ...hits.map((tool) => tool.name)])
        return division.deferrable.filter((tool) => !names.has(tool.name)).length
      },
    }
  }

  function isUnloaded(tool: Tool): boolean {
    return (
      preset.unloadedCalls === 'answer' &&
      preset.loading !== 'none' &&
      !everythingSent &&
      !ledger.record.sent.includes(tool.name) &&
      isHidden(tool, divide(), ledger.record)
    )
  }

  // to compare a definition takes less than to read it again
  function isKnown(definition: ToolDefinition): boolean {
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
    const isNews = Object.entries(addition).some(([key, value]) =>
      Array.isArray(value)
        ? value.length > 0
        : value !== ledger.record[key as 'active' | 'announcement'],
    )
    if (isNews) await ledger.add(addition)
  }
}

function toLoaded(tool: Tool): { name: string; fingerprint: string } {
  return { name: tool.name, fingerprint: fingerprint(tool) }
}
