import { deleteOldest } from '../delete-oldest.ts'
import type { AnsweredCall, RunnableCall } from '../tool-search/call-result.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import { type Use, useId } from './use.ts'
import { useTerms, useWords } from './use-words.ts'

/** Follows the searches and calls of conversations: a search and the call after it are a use. */
export interface UseTracker {
  /** @param event `by` who searched; the words of a user, with `expect`, teach nothing */
  onSearch(event: {
    readonly sessionId: string
    readonly outcome: TrackedSearch
    readonly by?: 'search' | 'expect'
  }): void
  onCall(event: { readonly sessionId: string; readonly result: TrackedCall }): void
}

/** A `SearchOutcome`, as far as it matters. */
interface TrackedSearch extends Pick<SearchOutcome, 'query' | 'form' | 'confidence' | 'problem'> {
  readonly hits: readonly TrackedHit[]
  readonly candidates: readonly TrackedHit[]
}

interface TrackedHit {
  readonly tool: { readonly name: string }
}

/** A `RunResult`, as far as it matters. */
type TrackedCall =
  | Pick<AnsweredCall, 'kind' | 'reason'>
  | {
      readonly kind: 'executed'
      readonly tool: { readonly name: string }
      readonly isError: boolean
    }
  | Pick<RunnableCall, 'kind' | 'tool'>

export interface UseTrackerOptions {
  readonly person: string
  readonly now: () => number
  /** By conversation, shared by all trackers of a memory. */
  readonly searches: Map<string, Search[]>
  readonly onUse: (use: Use) => void
  /** Takes back a use that turned out to be wrong. */
  readonly onMistake: (id: string) => void
}

/** A search whose hits may still be called. */
export interface Search {
  /** Empty if the search asked for names, which says nothing about words. */
  readonly words: string
  readonly tools: ReadonlySet<string>
  readonly at: number
  /** Searches of one reply of the model have the same number. */
  reply: number
  isSealed: boolean
  /** Whether its hits probably contained what the model was looking for. */
  readonly isSure: boolean
  /** Whether a tool was called because of it. */
  isUsed: boolean
  /** Whether any tool was called after it. */
  isFollowedByCall: boolean
  /** The uses it was credited with although it did not return the tool. */
  readonly missed: string[]
}

const MAX_SEARCHES = 6
const MAX_SESSIONS = 1_000
/** A call long after a search has another reason. */
const MAX_AGE_MS = 30 * 60_000

/**
 * The tracker of one conversation. If a search did not return the tool, but a later one of another reply
 * did, its words are remembered as well if the model probably searched again for the same thing: the
 * searches share words, or the one came right after the other, which was not sure of its hits. If a hit
 * of the earlier search is called after all, it was for something else, so that is taken back.
 */
export function createUseTracker(options: UseTrackerOptions): UseTracker {
  const { person, now, searches, onUse, onMistake } = options
  return {
    onSearch({ sessionId, outcome, by }) {
      // A user's message is private, a query of the model only describes what it needs.
      if (outcome.problem || by === 'expect') return
      const before = searchesOf(sessionId)
      const tools = new Set([...outcome.hits, ...outcome.candidates].map(({ tool }) => tool.name))
      const words = outcome.form === 'words' ? useWords(outcome.query) : ''
      const reply = (before.at(-1)?.reply ?? 0) + 1
      const isNew = { isSealed: false, isUsed: false, isFollowedByCall: false, missed: [] }
      const isSure = outcome.confidence === 'high'
      const search = { words, tools, at: now(), reply, isSure, ...isNew }
      searches.delete(sessionId)
      searches.set(sessionId, [...before, search].slice(-MAX_SEARCHES))
      deleteOldest(searches, MAX_SESSIONS)
    },
    onCall({ sessionId, result }) {
      const made = searchesOf(sessionId)
      if (result.kind === 'answered') {
        if (result.reason === 'search') seal(made)
      } else if (isSuccess(result)) {
        credit(result.tool.name, made)
        for (const search of made) search.isFollowedByCall = true
      }
    },
  }

  function searchesOf(sessionId: string): Search[] {
    return (searches.get(sessionId) ?? []).filter(({ at }) => now() - at <= MAX_AGE_MS)
  }

  function credit(tool: string, made: readonly Search[]): void {
    const last = made.findLastIndex(({ tools }) => tools.has(tool))
    for (const search of searchesFor(tool, made.slice(0, last + 1))) {
      search.isUsed = true
      if (search.words === '') continue
      const found = search.tools.has(tool)
      const use = { tool, person, words: search.words }
      const id = useId(use)
      if (found) for (const missed of search.missed.splice(0)) onMistake(missed)
      else search.missed.push(id)
      onUse({ id, ...use, at: now(), found })
    }
  }
}

/** The searches that asked for a tool, of those up to the last one that returned it. */
function searchesFor(tool: string, made: readonly Search[]): readonly Search[] {
  const reply = made.at(-1)?.reply
  const earlier = made.filter((search) => search.words !== '' && search.reply !== reply)
  const previous = earlier.at(-1)
  const isAlone = earlier.length < 2 || earlier.at(-2)!.reply !== previous!.reply
  const terms = new Set<string>()
  return made.toReversed().filter((search) => {
    const own = useTerms(search.words)
    const isRetried = () =>
      (search === previous && isAlone && !search.isSure && !search.isFollowedByCall) ||
      [...own].some((term) => terms.has(term))
    const isMissed = !search.tools.has(tool)
    if (isMissed && (search.isUsed || search.reply === reply || !isRetried())) return false
    for (const term of own) terms.add(term)
    return true
  })
}

/** The calls of a reply are reported after all of its searches. */
function seal(made: readonly Search[]): void {
  const open = made.filter(({ isSealed }) => !isSealed)
  for (const search of open) {
    search.reply = open[0]!.reply
    search.isSealed = true
  }
}

/** If you run a tool yourself, nobody reports how that ends, so a valid call has to do. */
function isSuccess(result: Exclude<TrackedCall, { kind: 'answered' }>): boolean {
  return result.kind === 'executed' ? !result.isError : result.tool.execute === undefined
}
