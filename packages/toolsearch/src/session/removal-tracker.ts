import { deleteOldest } from '../delete-oldest.ts'

/** Remembers which loaded tools the conversations could use, to notice when one disappears. */
export interface RemovalTracker {
  /** Call it when tools are loaded. */
  add(sessionId: string, names: readonly string[]): void
  /** Call it once per turn. Returns the tools that were usable before and are not any more. */
  update(
    sessionId: string,
    loaded: readonly string[],
    isUsable: (name: string) => boolean,
  ): readonly string[]
}

const MAX_SESSIONS = 4_096

export function createRemovalTracker(): RemovalTracker {
  const usable = new Map<string, ReadonlySet<string>>()
  return {
    add: (sessionId, names) => remember(sessionId, [...(usable.get(sessionId) ?? []), ...names]),
    update(sessionId, loaded, isUsable) {
      const before = usable.get(sessionId)
      const removed = loaded.filter((name) => before?.has(name) && !isUsable(name))
      remember(sessionId, loaded.filter(isUsable))
      return removed
    },
  }

  function remember(sessionId: string, names: readonly string[]): void {
    usable.delete(sessionId)
    if (names.length > 0) usable.set(sessionId, new Set(names))
    deleteOldest(usable, MAX_SESSIONS)
  }
}
