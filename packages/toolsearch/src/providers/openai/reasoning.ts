import type { Entry } from '../../transcript/entry.ts'

/**
 * Drops reasoning whose following item is gone: the service rejects reasoning without the output it
 * led to. That output can be missing because a reply was interrupted or because a repair dropped it.
 *
 * @param replacements the entries that replace each of `entries`
 */
export function dropOrphanedReasoning(
  entries: readonly Entry[],
  replacements: readonly (readonly Entry[])[],
  onDropped: (entry: Entry) => void,
): (readonly Entry[])[] {
  return entries.map((entry, at) => {
    if (entry.native.type !== 'reasoning') return replacements[at]!
    const next = entries.findIndex(({ native }, index) => index > at && native.type !== 'reasoning')
    if (
      next >= 0 &&
      entries[next]!.role === 'assistant' &&
      isKept(entries[next]!, replacements[next]!)
    ) {
      return [entry]
    }
    onDropped(entry)
    return []
  })
}

function isKept({ native }: Entry, [first]: readonly Entry[]): boolean {
  return first !== undefined && first.native.type === native.type
}
