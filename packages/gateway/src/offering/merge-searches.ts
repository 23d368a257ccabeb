import type { SearchHit, SearchOutcome } from 'toolsearch'

/** The results of several searches as one, with the places shared between them. */
export interface MergedSearches {
  readonly outcome: SearchOutcome
  /** The numbers of the searches that found a tool, counted from 1, by the tool's name. */
  readonly foundBy: ReadonlyMap<string, readonly number[]>
  /** Searches that found nothing sure, but candidates. */
  readonly doubtful: readonly number[]
  /** Searches that found nothing at all. */
  readonly empty: readonly number[]
}

/** How many candidates each doubtful search may name. */
const MAX_CANDIDATES = 2

/**
 * Takes the best hit of each search, then the second of each, and so on. A tool that several
 * searches found takes one place.
 *
 * @param limit how many hits to return
 */
export function mergeSearches(outcomes: readonly SearchOutcome[], limit: number): MergedSearches {
  const foundBy = new Map<string, number[]>()
  for (const [at, { hits, candidates }] of outcomes.entries()) {
    for (const { tool } of [...hits, ...candidates.slice(0, MAX_CANDIDATES)]) {
      foundBy.set(tool.name, [...(foundBy.get(tool.name) ?? []), at + 1])
    }
  }
  const hits = takeTurns(outcomes.map((outcome) => outcome.hits)).slice(0, limit)
  const names = new Set(hits.map(({ tool }) => tool.name))
  const candidates = takeTurns(
    outcomes.map((outcome) => outcome.candidates.slice(0, MAX_CANDIDATES)),
  ).filter(({ tool }) => !names.has(tool.name))
  const numbers = (has: (outcome: SearchOutcome) => boolean) =>
    outcomes.flatMap((outcome, at) => (has(outcome) ? [at + 1] : []))
  const { suggestion: _, problem: __, ...first } = outcomes[0]!
  return {
    outcome: {
      ...first,
      hits,
      confidence: hits.length > 0 ? 'high' : 'low',
      candidates,
      missing: outcomes.flatMap(({ missing }) => missing),
      omitted: {
        count: outcomes.reduce((sum, { omitted }) => sum + omitted.count, 0),
        names: outcomes.flatMap(({ omitted }) => omitted.names),
      },
      closest: [...new Set(outcomes.flatMap(({ closest }) => closest))],
      repeats: Math.min(...outcomes.map(({ repeats }) => repeats)),
    },
    foundBy,
    doubtful: numbers((outcome) => outcome.hits.length === 0 && outcome.candidates.length > 0),
    empty: numbers(
      (outcome) => outcome.hits.length + outcome.candidates.length + outcome.missing.length === 0,
    ),
  }
}

/** The first of each list, then the second of each, without repeating a tool. */
function takeTurns(lists: readonly (readonly SearchHit[])[]): SearchHit[] {
  const taken = new Map<string, SearchHit>()
  const longest = Math.max(...lists.map(({ length }) => length))
  const queues = lists.map((list) => [...list])
  for (let turn = 0; turn < longest; turn += 1) {
    for (const queue of queues) {
      // A tool that another search has taken does not cost this one its turn.
      while (queue[0] && taken.has(queue[0].tool.name)) queue.shift()
      const next = queue.shift()
      if (next) taken.set(next.tool.name, next)
    }
  }
  return [...taken.values()]
}
