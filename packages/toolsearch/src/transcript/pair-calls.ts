import type { Block } from './block.ts'
import type { CallPart, Entry, Part, ResultPart } from './entry.ts'
import type { Matches } from './match-results.ts'

/** How an API wants calls to be answered. */
export interface PairLayout {
  /**
   * Where the results of a reply belong:
   * - `separate`: each in a message of its own, after the reply and in the order of the calls
   * - `alone`: in the message after the reply, with nothing else
   * - `merged`: at the start of the message after the reply, if that is one of the user
   */
  readonly results: 'separate' | 'alone' | 'merged'
  /** The result of a call that has none. */
  noResult(call: CallPart): ResultPart
  /** A new message with results. */
  message(results: readonly ResultPart[]): Block
  /** The entry with other parts. */
  withParts(entry: Entry, parts: readonly Part[]): Entry
  /**
   * The result as the API accepts it for this call.
   * @default the same result
   */
  address?(result: ResultPart, call: CallPart): ResultPart
}

/** `about` is the id of the call, or the name of its tool. */
export type ReportPair = (
  kind: 'call-answered' | 'result-moved' | 'result-dropped',
  about: string,
  at: number,
) => void

/**
 * Puts the result of every call where the API expects it: moves results that are elsewhere, adds
 * placeholders for missing ones, and drops those without a call. Entries that are fine stay the same
 * objects. A search that the provider runs is not a pair: its result is part of the reply.
 */
export function pairCalls(
  entries: readonly Entry[],
  { results: found, orphans }: Matches,
  layout: PairLayout,
  report: ReportPair,
): Entry[] {
  for (const { part, entry } of orphans) {
    if (isResult(part)) report('result-dropped', String(part.callId ?? part.name), entry.at)
  }
  const paired: Entry[] = []
  let answer: Entry | undefined
  entries.forEach((entry, index) => {
    if (entry !== answer) paired.push(...withoutResults(entry))
    const calls = entry.parts.filter(isCall)
    if (calls.length === 0) return
    if (layout.results === 'separate') paired.push(...answerEach(calls, index))
    else paired.push(answerTogether(calls, index))
  })
  return paired

  /** A message that had only results is gone, because they are elsewhere. */
  function withoutResults(entry: Entry): Entry[] {
    const others = entry.parts.filter((part) => !isResult(part))
    if (others.length === entry.parts.length) return [entry]
    return others.length === 0 ? [] : [layout.withParts(entry, others)]
  }

  function answerEach(calls: readonly CallPart[], index: number): Entry[] {
    let next = index + 1
    return calls.map((call) => {
      const placed = found.get(call)
      if (placed === undefined) return newEntry([missing(call, index)], index)
      if (placed.entry === entries[next]) next += 1
      else report('result-moved', nameOf(call), placed.entry.at)
      return placed.entry
    })
  }

  function answerTogether(calls: readonly CallPart[], index: number): Entry {
    const next = entries[index + 1]
    const parts = next?.parts ?? []
    const others = parts.filter((part) => !isResult(part))
    const isMerged = layout.results === 'merged' && next?.role === 'user'
    const end = parts.findIndex((part) => !isResult(part))
    const isPlace = isMerged || others.length === 0
    const inPlace = new Set<Part>(isPlace ? parts.slice(0, end < 0 ? undefined : end) : [])
    const results = calls.map((call) => {
      const placed = found.get(call)
      if (placed === undefined) return missing(call, index)
      const result = layout.address?.(placed.part, call) ?? placed.part
      if (!inPlace.has(result)) report('result-moved', nameOf(call), placed.entry.at)
      return result
    })
    const isComplete = results.length + others.length === parts.length
    const isAnswered = isComplete && results.every((result) => inPlace.has(result))
    answer = isAnswered || isMerged ? next : undefined
    if (answer === undefined) return newEntry(results, index)
    return isAnswered ? answer : layout.withParts(answer, [...results, ...others])
  }

  function missing(call: CallPart, index: number): ResultPart {
    report('call-answered', nameOf(call), entries[index]!.at)
    return layout.noResult(call)
  }

  function newEntry(results: readonly ResultPart[], index: number): Entry {
    const { at } = entries[index]!
    const role = layout.results === 'separate' ? 'tool' : 'user'
    return { role, parts: results, native: layout.message(results), at }
  }
}

function isCall(part: Part): part is CallPart {
  return part.type === 'call' && part.search !== 'provider'
}

function isResult(part: Part): part is ResultPart {
  return part.type === 'result' && part.search !== 'provider'
}

function nameOf({ id, name }: CallPart): string {
  return id ?? name
}
