import type { CallPart, Entry, Part, ResultPart } from '../../transcript/entry.ts'
import { foundNames } from '../../transcript/found-names.ts'
import type { Matches } from '../../transcript/match-results.ts'
import type { RepairContext } from '../provider.ts'
import { foundText } from '../repair-texts.ts'
import { NATIVE_SEARCH } from './anthropic-modes.ts'
import { text } from './blocks.ts'
import { readBlock } from './read.ts'
import { type Report, withContent } from './with-content.ts'

/**
 * Replaces searches with text that a request cannot contain: only one with the same native search may
 * have its calls and results. At the end of the history, a search without a result is still running: the
 * request continues a paused turn.
 */
export function withoutOtherSearches(
  entries: readonly Entry[],
  { results, orphans, unanswered }: Matches,
  context: RepairContext,
  report: Report,
): readonly Entry[] {
  const searches = [...results.keys(), ...unanswered].filter(isSearch)
  if (searches.length === 0 && !orphans.some(({ part }) => isSearch(part))) return entries
  const carried = new Set<Part>()
  if (context.mode.search === 'provider') {
    const paused = entries.findLastIndex(({ role }) => role !== 'assistant') + 1
    const running = new Set(entries.slice(paused).flatMap(({ parts }) => parts))
    for (const call of searches.filter(({ name }) => name === NATIVE_SEARCH.name)) {
      const result = results.get(call)?.part
      if (result !== undefined) carried.add(call).add(result)
      else if (running.has(call)) carried.add(call)
    }
  }
  return entries.flatMap((entry) => {
    const parts = entry.parts.flatMap((part) =>
      carried.has(part) ? [part] : searchToText(part, context, report, entry.at),
    )
    return withContent(entry, parts, report)
  })
}

/** A call or a result of Anthropic's own search. */
export function isSearch(part: Part): part is CallPart | ResultPart {
  return (part.type === 'call' || part.type === 'result') && part.search === 'provider'
}

/** What a request contains instead of a part of a search. */
export function searchToText(
  part: Part,
  context: Pick<RepairContext, 'definition'>,
  report: Report,
  at: number,
): Part[] {
  if (!isSearch(part)) return [part]
  report('search-to-text', String(part.type === 'call' ? part.id : part.callId), at)
  if (part.type === 'call') return []
  return [readBlock(text(foundText(foundNames(part), context)))]
}
