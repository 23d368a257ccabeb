import { hashText } from '../catalogue/hash-text.ts'
import { deleteOldest } from '../delete-oldest.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'

/** The tool lists that conversations repeat in every request, by digest. A session stores the digest. */
export interface StubLists {
  /** Undefined if another process sent the list, or too long ago. */
  find(digest: string | undefined): readonly ToolText[] | undefined
  /** Returns the digest. */
  remember(tools: readonly ToolText[]): string
}

const MAX_LISTS = 100

export function createStubLists(maxSize: number = MAX_LISTS): StubLists {
  const lists = new Map<string, readonly ToolText[]>()
  return {
    find(digest = '') {
      const list = lists.get(digest)
      if (list) touch(digest, list)
      return list
    },
    remember(tools) {
      const digest = hashText(JSON.stringify(tools))
      touch(digest, lists.get(digest) ?? tools)
      return digest
    },
  }

  function touch(digest: string, list: readonly ToolText[]): void {
    // deleting it first makes it the most recently used entry
    lists.delete(digest)
    lists.set(digest, list)
    deleteOldest(lists, maxSize)
  }
}
