import type { CallPart, Entry, ResultPart } from './entry.ts'

/** The result of a call, and the entry that contains it. */
interface PlacedResult {
  readonly part: ResultPart
  readonly entry: Entry
}

export interface Matches {
  /** The result of each call that has one. */
  readonly results: ReadonlyMap<CallPart, PlacedResult>
  /** Calls that have none, in order. */
  readonly unanswered: readonly CallPart[]
  /** Results that belong to no call, in order. */
  readonly orphans: readonly PlacedResult[]
}

/**
 * Finds the result of each call. The first one counts, and it must come after its call, unless there is
 * none and it `mayPrecede` the call.
 *
 * An id refers to its call until the next call with the same id: many servers restart counting with
 * every reply. Without an id, a result belongs to a call by name and order, but only up to the next
 * entry with calls. A result with the same id and the same name has priority, then one with the same id.
 */
export function matchResults(
  entries: readonly Entry[],
  { mayPrecede = false }: { mayPrecede?: boolean } = {},
): Matches {
  const results = new Map<CallPart, PlacedResult>()
  const matched = new Set<ResultPart>()
  const { turns, all } = turnsIn(entries)
  for (const { calls, nearby } of turns) {
    for (const fits of [hasSameIdAndName, hasSameId, hasSameName]) {
      for (const call of calls) {
        if (results.has(call)) continue
        const result = nearby.find(({ part }) => !matched.has(part) && fits(call, part))
        if (result !== undefined) match(call, result)
      }
    }
  }
  const latest = new Map<string, CallPart>()
  // an id can be reused, so distant results are matched only after all nearby ones
  if (matched.size < all.length) matchDistant()
  // now with the calls that come later
  if (matched.size < all.length && mayPrecede) matchDistant()
  return {
    results,
    unanswered: turns.flatMap(({ calls }) => calls).filter((call) => !results.has(call)),
    orphans: all.filter(({ part }) => !matched.has(part)),
  }

  function matchDistant(): void {
    for (const entry of entries) {
      for (const part of entry.parts) {
        if (part.type === 'call') latest.set(keyOf(part.id, part), part)
        else if (part.type === 'result' && part.callId !== undefined && !matched.has(part)) {
          const call = latest.get(keyOf(part.callId, part))
          if (call !== undefined && !results.has(call)) match(call, { part, entry })
        }
      }
    }
  }

  function match(call: CallPart, result: PlacedResult): void {
    results.set(call, result)
    matched.add(result.part)
  }
}

interface Turn {
  readonly calls: readonly CallPart[]
  /** The results before the next entry with calls. */
  readonly nearby: PlacedResult[]
}

function turnsIn(entries: readonly Entry[]): { turns: Turn[]; all: PlacedResult[] } {
  const turns: Turn[] = []
  const all: PlacedResult[] = []
  for (const entry of entries) {
    const calls = entry.parts.filter((part) => part.type === 'call')
    if (calls.length > 0) turns.push({ calls, nearby: [] })
    for (const part of entry.parts) {
      if (part.type !== 'result') continue
      all.push({ part, entry })
      turns.at(-1)?.nearby.push({ part, entry })
    }
  }
  return { turns, all }
}

/** A search that has blocks of its own can have the same id as an ordinary call. */
function keyOf(id: string | undefined, { search }: CallPart | ResultPart): string {
  return `${search === undefined ? 'call' : 'search'} ${id}`
}

function hasSameIdAndName(call: CallPart, result: ResultPart): boolean {
  return call.name === result.name && keyOf(call.id, call) === keyOf(result.callId, result)
}

function hasSameId(call: CallPart, result: ResultPart): boolean {
  return call.id !== undefined && keyOf(call.id, call) === keyOf(result.callId, result)
}

function hasSameName(call: CallPart, result: ResultPart): boolean {
  return call.name === result.name && (call.id === undefined || result.callId === undefined)
}
