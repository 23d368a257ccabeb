import type { PlacedNotice } from '../stores/session-record.ts'

/**
 * Adds a notice after the last message. An earlier notice keeps its place, or moves there if its
 * message is gone.
 *
 * @param places a unique string for each message, in order
 */
export function placeNotices(
  before: readonly PlacedNotice[] = [],
  notice: string,
  places: () => readonly string[],
): readonly PlacedNotice[] {
  if (before.length === 0 && notice === '') return []
  const known = places()
  const after = known.at(-1) ?? ''
  const present = new Set(known)
  const kept = before.map((one) => (present.has(one.after) ? one : { ...one, after }))
  return notice === '' ? kept : [...kept, { text: notice, after }]
}
