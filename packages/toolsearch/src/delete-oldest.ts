/** Deletes the entries inserted first until the map has at most `maxSize` entries. */
export function deleteOldest(map: Map<unknown, unknown>, maxSize: number): void {
  for (const key of map.keys()) {
    if (map.size <= maxSize) return
    map.delete(key)
  }
}
