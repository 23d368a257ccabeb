import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import type { SearchRanker } from '../learning/learned-ranker.ts'
import type { SerialQueue } from '../stores/serial-queue.ts'
import type { LoadResult } from '../stores/session-record.ts'
import type { StoredSession } from '../stores/stored-session.ts'
import type { Finder, SearchReasons, SearchRequest } from '../tool-search/finders/finder.ts'
import { findTools } from '../tool-search/run-search.ts'
import type { Answer } from '../tool-search/search-answer.ts'
import type { SearchGuards } from '../tool-search/search-guards.ts'
import type { SearchHit, SearchOutcome, SearchProblem } from '../tool-search/search-outcome.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { LayeredTools } from './layered-tools.ts'
import type { Preset } from './preset.ts'
import type { ToolSet } from './tool-set.ts'
import { viewTools } from './view-tools.ts'
import { withoutValues } from './without-values.ts'

/** Searches the tools of one conversation. */
export interface SessionSearch {
  /**
   * Runs a search of the model and loads its hits. Searches of one session run in order. `format` writes
   * the answer, while the tools that the search has found are at hand.
   */
  search(
    input: unknown,
    options: SessionSearchRequest,
    format: (outcome: SearchOutcome) => Answer,
  ): Promise<AnsweredSearch>
  /**
   * Runs a search with the words of a user. It loads nothing and does not count as a search of the
   * model.
   */
  expect(text: string, limit: number): Promise<SearchOutcome>
  /** What a search can see at this moment. */
  createView(): SearchView
}

interface AnsweredSearch {
  readonly outcome: SearchOutcome
  /** The names of the tools that were not loaded before. */
  readonly loaded: readonly string[]
  readonly answer: Answer
}

export interface SessionSearchRequest extends SearchReasons {
  readonly limit?: number
  /**
   * Whether to load the candidates of a doubtful search as well. They become hits. For protocols
   * whose search results consist of definitions alone.
   * @default false
   */
  readonly loadsCandidates?: boolean
  /**
   * Who searches, for `learning`.
   * @default the person of the session
   */
  readonly person?: string
}

/** Adds what was learned from use to a ranker. `view` is the same until other tools are visible. */
export type LearnedRanking = (
  ranker: SearchRanker,
  caller: {
    readonly get: (name: string) => Tool | undefined
    readonly view: object
    readonly person?: string | undefined
  },
) => SearchRanker

export interface SessionSearchDependencies {
  readonly preset: Preset
  readonly stored: StoredSession
  readonly guards: SearchGuards
  /** The tools that this conversation shares with others. */
  readonly base: ToolSet
  readonly tools: LayeredTools
  /** Runs the searches of each session in order. */
  readonly searches: SerialQueue
  readonly notReady: () => readonly SourceState[]
  readonly load: (tools: readonly Tool[]) => Promise<LoadResult>
  /** Adds what was learned from use to a ranker. */
  readonly learned?: LearnedRanking | undefined
}

/** A longer message contains a document, whose words say little about what the user wants. */
const MAX_EXPECT = 1_000

export function createSessionSearch(dependencies: SessionSearchDependencies): SessionSearch {
  const { preset, stored, guards, base, tools, searches, notReady, load, learned } = dependencies
  const { remote } = base
  return { search, expect, createView }

  async function search(
    input: unknown,
    { person, ...options }: SessionSearchRequest,
    format: (outcome: SearchOutcome) => Answer,
  ): Promise<AnsweredSearch> {
    const read = preset.readArguments(input, preset.selection)
    if ('problem' in read) return answered(problemOutcome('', read.problem))
    const query = preset.readQuery(read.query)
    // before earlier searches finish, because the vector of a query may come from a network
    const prepared = query.kind === 'words' ? ranker().prepare?.(query.text) : undefined
    // a failure is reported below, when this search runs
    prepared?.catch(() => {})
    return searches(stored.id, async () => {
      await prepared
      await stored.refresh()
      const request = { query, text: read.query, limit: read.limit, ...options }
      const outcome = await run(request, person)
      // an invalid search does not count towards the rate limit
      if (outcome.problem) return answered(outcome)
      if (!guards.admit(stored.id)) return answered(problemOutcome(read.query, rateLimitProblem()))
      const { hits, added } = await loadHits(outcome.hits)
      // `withTools` can pass other tools with each request, so compare what was found
      const found = [...hits, ...outcome.candidates].map(({ tool }) => toolFingerprint(tool))
      const counts = [base.tools.version, outcome.deferrable]
      const state = [counts, found, stored.record.loaded, notReady()]
      const repeats = guards.repeats(stored.id, JSON.stringify([read.query, request.limit, state]))
      return answered({ ...outcome, hits, repeats }, added)
    })

    function answered(outcome: SearchOutcome, loaded: readonly string[] = []): AnsweredSearch {
      const answer = format(outcome)
      remote?.release(loaded)
      return { outcome, loaded, answer }
    }
  }

  async function expect(text: string, limit: number): Promise<SearchOutcome> {
    const query = preset.readQuery(withoutValues(text.slice(0, MAX_EXPECT)), true)
    const request = { query, text: query.text, limit, isExcerpt: text.length > MAX_EXPECT }
    await (query.kind === 'words' ? ranker().prepare?.(query.text) : undefined)
    return searches(stored.id, async () => {
      await stored.refresh()
      return run(request)
    })
  }

  async function run(request: SearchRequest, person?: string): Promise<SearchOutcome> {
    const view = () => createView(person)
    const search = remote
      ? await remote.find(request, {
          behaviour: preset,
          view,
          rankerOver: (ranker, get) => withLearned(ranker, get, {}, person),
          names: tools.divide().skills.flatMap(({ skill }) => skill!.tools),
        })
      : findTools(request, view(), preset)
    return search.outcome()
  }

  function ranker(view = tools.divide(), person?: string): SearchRanker {
    return withLearned(tools.ranker(), view.get, view, person)
  }

  function withLearned(
    ranker: SearchRanker,
    get: SearchView['get'],
    view: object,
    person: string | undefined,
  ): SearchRanker {
    return learned?.(ranker, { get, view, person }) ?? ranker
  }

  async function loadHits(
    hits: readonly SearchHit[],
  ): Promise<{ hits: readonly SearchHit[]; added: readonly string[] }> {
    const requested = hits.filter((hit) => hit.status === 'loaded').map((hit) => hit.tool)
    const { added, updated } = await load(requested)
    const changed = new Set([...added, ...updated])
    // another process may have loaded a tool since this search started
    return {
      added,
      hits: hits.map((hit) =>
        hit.status === 'loaded' && !changed.has(hit.tool.name)
          ? { ...hit, status: 'already-loaded' }
          : hit,
      ),
    }
  }

  function problemOutcome(text: string, problem: SearchProblem): SearchOutcome {
    const finder: Finder = () => ({ form: 'blank', hits: [], problem })
    const request = { query: preset.readQuery(''), text, limit: 0 }
    return findTools(request, createView(), { ...preset, finders: [finder] }).outcome()
  }

  function rateLimitProblem(): SearchProblem {
    const { calls, windowMs } = preset.rateLimit!
    const searches = calls === 1 ? '1 search' : `${calls} searches`
    const message =
      `Session "${stored.id}" has reached the limit of ${searches} in ${windowMs / 1000} s. ` +
      'Use the tools you already found, or search again later.'
    return { code: 'rate_limited', message }
  }

  function createView(person?: string): SearchView {
    const { divide, findNames } = tools
    const loaded = new Map(stored.record.loaded.map((tool) => [tool.name, tool.fingerprint]))
    return {
      ...viewTools({
        visible: divide,
        ranker: () => ranker(divide(), person),
        findNames,
        notReady,
        remote,
      }),
      deferrable,
      eager: () => divide().eager.length,
      status(tool) {
        if (tool.skill) return 'skill'
        if (divide().deferral(tool) === 'eager') return 'always-on'
        if (preset.loading === 'none') return 'found'
        // the model has not seen a definition that changed after it was loaded
        const isCurrent = loaded.get(tool.name) === toolFingerprint(tool)
        return isCurrent ? 'already-loaded' : 'loaded'
      },
      remainingAfter(hits) {
        if (preset.loading === 'none') return deferrable()
        const names = new Set([...loaded.keys(), ...hits.map((tool) => tool.name)])
        const { get, deferral } = divide()
        const known = [...names].flatMap((name) => get(name) ?? [])
        return deferrable() - known.filter((tool) => deferral(tool) !== 'eager').length
      },
    }

    function deferrable(): number {
      const { deferrable: tools, beyond = 0 } = divide()
      return tools.length + beyond
    }
  }
}
