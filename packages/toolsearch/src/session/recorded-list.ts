import { type AnnouncedList, announcedList } from '../announcement/announced-lists.ts'
import type { RecordedList, SessionRecord } from '../stores/session-record.ts'

/** Characters of a text and its names. A longer list would make every record large. */
const MAX_SIZE = 16_000

/** Computed once, because a list can have 100,000 names. */
const recordable = new WeakMap<AnnouncedList, boolean>()

/** What a record keeps of an announcement and of the names that the model knows since then. */
export function recordList(first: AnnouncedList, last: AnnouncedList): RecordedList | undefined {
  if (!isShort(first)) return undefined
  const { text } = first
  // sorted, so that the record does not depend on the order in which servers connect
  const names = first.names.toSorted()
  if (last === first) return { text, names }
  const before = new Set(names)
  const after = new Set(last.names)
  const added = last.names.filter((name) => !before.has(name)).sort()
  const removed = names.filter((name) => !after.has(name))
  if (sizeOf(added) + sizeOf(removed) > MAX_SIZE) return undefined
  return {
    text,
    names,
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
  }
}

/** The announcement of a record, and the names that the model knows since then. */
export function readRecorded({
  announcement,
  announced,
  announcedList: list,
}: SessionRecord): { readonly first: AnnouncedList; readonly last: AnnouncedList } | undefined {
  if (list === undefined) return undefined
  const { text, names, added = [], removed = [] } = list
  const isRemoved = new Set(removed)
  const first = announcedList(text, names)
  const last = announcedList(text, [...names.filter((name) => !isRemoved.has(name)), ...added])
  // the list of another announcement
  if (first.textDigest !== announcement || last.namesDigest !== announced) return undefined
  return { first, last }
}

function isShort(list: AnnouncedList): boolean {
  let isKnown = recordable.get(list)
  if (isKnown === undefined) {
    isKnown = list.text.length <= MAX_SIZE && list.text.length + sizeOf(list.names) <= MAX_SIZE
    recordable.set(list, isKnown)
  }
  return isKnown
}

function sizeOf(names: readonly string[]): number {
  return names.reduce((size, name) => size + name.length + 3, 0)
}
