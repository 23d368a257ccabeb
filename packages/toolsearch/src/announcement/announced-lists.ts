/** A list of tools as the model received it. */
export interface AnnouncedList {
  readonly text: string
  readonly names: readonly string[]
  readonly textDigest: string
  readonly namesDigest: string
}

/** Recent announcements by digest, because a session stores nothing but digests. */
export interface AnnouncedLists {
  remember(list: AnnouncedList): void
  /** The list with this text. Undefined if another process announced it, or too long ago. */
  withText(digest: string): AnnouncedList | undefined
  /** A list with these names, whatever its text. */
  withNames(digest: string): AnnouncedList | undefined
}

/** About 8 MB of references. */
const MAX_NAMES = 1_000_000

/** Keeps the lists used last, with `maxNames` names in total. */
export function createAnnouncedLists(maxNames: number = MAX_NAMES): AnnouncedLists {
  const byText = createRecent(maxNames)
  const byNames = createRecent(maxNames)
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
  const lists = new Map<string, AnnouncedList>()
  let size = 0
  const recent: Recent = {
    get(digest) {
      const list = lists.get(digest)
      if (list) recent.set(digest, list)
      return list
    },
    set(digest, list) {
      drop(digest)
      lists.set(digest, list)
      size += sizeOf(list)
      for (const oldest of lists.keys()) {
        if (size <= maxSize || oldest === digest) return
        drop(oldest)
      }
    },
  }
  return recent

  function drop(digest: string): void {
    const list = lists.get(digest)
    if (list) size -= sizeOf(list)
    lists.delete(digest)
  }
}

/** In references of eight bytes. An empty list takes memory, too. */
function sizeOf({ names, text }: AnnouncedList): number {
  return 10 + names.length + text.length / 8
}
