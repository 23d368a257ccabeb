import type { AuditEntry } from './audit-entry.ts'

/** Keeps the latest of many entries in a bounded amount of memory. */
export interface LatestEntries {
  add(entry: AuditEntry): void
  isFull(): boolean
  /** Latest first, each once. */
  entries(): readonly AuditEntry[]
}

/** @param limit how many entries to keep */
export function createLatest(limit: number): LatestEntries {
  let kept: AuditEntry[] = []

  function trim(): void {
    kept.sort((a, b) => (a.id < b.id ? 1 : -1))
    kept = kept.filter((entry, index) => entry.id !== kept[index - 1]?.id).slice(0, limit)
  }

  return {
    add(entry) {
      kept.push(entry)
      // Sorting now and then takes less time than finding the place of each entry.
      if (kept.length >= 2 * limit + 1_000) trim()
    },
    isFull() {
      trim()
      return kept.length === limit
    },
    entries() {
      trim()
      return kept
    },
  }
}
