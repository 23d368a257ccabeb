import type { Entry } from '../../transcript/entry.ts'
import { withParts } from '../../transcript/with-parts.ts'
import type { Repair, RepairedEntries } from '../provider.ts'
import type { StaleThinking } from './anthropic-modes.ts'
import type { Report } from './with-content.ts'

/** Removes all thinking. */
export function withoutThinking(entries: readonly Entry[]): RepairedEntries {
  const repairs: Repair[] = []
  const cleaned = entries.map((entry) => {
    const kept = entry.parts.filter(({ type }) => type !== 'reasoning')
    if (kept.length < entry.parts.length) {
      repairs.push({ kind: 'reasoning-dropped', about: 'thinking', at: entry.at })
    }
    return withParts(entry, kept, 'content')
  })
  return { entries: cleaned, repairs }
}

/**
 * Removes the thinking after the first entry that differs from the entries `before`: newer Claude models
 * bind thinking to everything before it. Messages that were only appended change nothing.
 */
export function withoutStaleThinking(
  before: readonly Entry[],
  after: readonly Entry[],
  { stale, isPromptChanged }: { stale: StaleThinking; isPromptChanged: boolean },
  report: Report,
): readonly Entry[] {
  const first = isPromptChanged ? 0 : after.findIndex((entry, at) => entry !== before[at])
  if (stale === 'keep' || first < 0 || first >= before.length) return after
  const end = stale === 'keep-open-calls' ? openTurn(after) : after.length
  return after.map((entry, at) => {
    if (at < first || at >= end || entry.role !== 'assistant') return entry
    const earlier = at === first && !isPromptChanged ? before[at]!.parts : []
    const changed = entry.parts.findIndex((part, index) => part !== earlier[index])
    const kept = entry.parts.filter(
      ({ type }, index) => type !== 'reasoning' || changed < 0 || index < changed,
    )
    if (kept.length < entry.parts.length) report('reasoning-dropped', 'thinking', entry.at)
    return withParts(entry, kept, 'content')
  })
}

/** The index after the last message that the user wrote: calls from there on are still open. */
function openTurn(entries: readonly Entry[]): number {
  const isWritten = ({ role, parts }: Entry) =>
    role === 'user' && parts.every(({ type }) => type !== 'result')
  return entries.findLastIndex(isWritten) + 1
}
