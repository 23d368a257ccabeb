/** Deletes the entries inserted first until there are at most `maxSize`. */
export function deleteOldest(entries: Map<unknown, unknown> | Set<unknown>, maxSize: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= maxSize) return
    entries.delete(key)
  }
}
