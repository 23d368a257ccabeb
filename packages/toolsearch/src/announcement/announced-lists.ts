import { hashNames } from '../catalogue/hash-names.ts'
import { hashText } from '../catalogue/hash-text.ts'

/** A list of tools as the model received it. */
export interface AnnouncedList {
  readonly text: string
  readonly names: readonly string[]
  readonly textDigest: string
  readonly namesDigest: string
}

export function announcedList(text: string, names: readonly string[]): AnnouncedList {
  return { text, names, textDigest: hashText(text), namesDigest: hashNames(names) }
}

/** Recent announcements by digest, because a session stores nothing but digests. */
export interface AnnouncedLists {
  remember(list: AnnouncedList): void
  /** The list with this text. Undefined if another process announced it, or too long ago. */
  withText(digest: string): AnnouncedList | undefined
  /** A list with these names, whatever its text. */
  withNames(digest: string): AnnouncedList | undefined
}

/** Characters of names and texts, about 8 MB in memory. */
const MAX_SIZE = 4_000_000

/** Keeps the lists used last, with `maxSize` characters in total. */
export function createAnnouncedLists(maxSize: number = MAX_SIZE): AnnouncedLists {
  const byText = createRecent(maxSize)
  const byNames = createRecent(maxSize)
  return {
    remember(list) {
      byText.set(list.textDigest, list)
      byNames.set(list.namesDigest, list)
    },
    withText: byText.get,
    withNames: byNames.get,
  }
}

interface Recent {
  get(digest: string): AnnouncedList | undefined
  set(digest: string, list: AnnouncedList): void
}

function createRecent(maxSize: number): Recent {
  /** Least recently used first. */
  const entries = new Map<string, { list: AnnouncedList; size: number }>()
  let total = 0
  return {
    get(digest) {
      const entry = entries.get(digest)
      if (entry) {
        // deleting it first makes it the most recently used entry
        entries.delete(digest)
        entries.set(digest, entry)
      }
      return entry?.list
    },
    set(digest, list) {
      drop(digest)
      const size = sizeOf(list)
      entries.set(digest, { list, size })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= maxSize || oldest === digest) return
        drop(oldest)
      }
    },
  }

  function drop(digest: string): void {
    total -= entries.get(digest)?.size ?? 0
    entries.delete(digest)
  }
}

/** An entry takes memory even if its list is empty, and so does a reference to a name. */
function sizeOf({ names, text }: AnnouncedList): number {
  return names.reduce((size, name) => size + name.length + 4, text.length + 40)
}
