import type { Entry, Part } from '../../transcript/entry.ts'
import { withParts } from '../../transcript/with-parts.ts'
import type { Repair } from '../provider.ts'

export type Report = (kind: Repair['kind'], about: string, at: number) => void

/** The entry with other parts; empty if the service would reject it. */
export function withContent(entry: Entry, parts: readonly Part[], report: Report): Entry[] {
  const { role, native, at } = entry
  // Interrupted replies can end with thinking.
  // https://github.com/tailcallhq/forgecode/issues/2107
  const end = parts.findLastIndex(({ type }) => type !== 'reasoning') + 1
  const finished = role === 'user' || end === parts.length ? parts : parts.slice(0, end)
  if (finished !== parts) report('reasoning-dropped', 'thinking', at)
  if (finished.length > 0) return [withParts(entry, finished, 'content')]
  report('empty-dropped', String(native.role), at)
  return []
}
