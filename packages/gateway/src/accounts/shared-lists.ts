import { fingerprint } from '../system/fingerprint.ts'

/** Keeps one copy of lists that several people's servers send. */
export interface SharedLists {
  /** An equal list that was passed before and is still in use, or the list itself. */
  share<Item extends object>(server: string, list: readonly Item[]): readonly Item[]
}

const EMPTY: readonly never[] = []

export function createSharedLists(): SharedLists {
  const lists = new Map<string, WeakRef<readonly object[]>>()
  const unused = new FinalizationRegistry<string>((key) => {
    // an equal list may have come in the meantime
    if (lists.get(key)?.deref() === undefined) lists.delete(key)
  })

  return {
    share<Item extends object>(server: string, list: readonly Item[]): readonly Item[] {
      if (list.length === 0) return EMPTY
      const key = fingerprint([server, list])
      const known = lists.get(key)?.deref()
      // Equal lists have equal items.
      if (known) return known as readonly Item[]
      lists.set(key, new WeakRef(list))
      unused.register(list, key)
      return list
    },
  }
}
