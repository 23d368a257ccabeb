/** A map that drops its oldest entries when it grows beyond its capacity. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  /** Always keeps the new entry, even if it exceeds the capacity on its own. */
  set(key: Key, value: Value): void
}

/**
 * @param capacity the maximum total size of all entries
 * @param sizeOf the size of an entry; every entry counts as 1 by default
 */
export function createBoundedMap<Key, Value>(
  capacity: number,
  sizeOf: (value: Value) => number = () => 1,
): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>()
  let size = 0

  function remove(key: Key): void {
    const value = entries.get(key)
    if (entries.delete(key)) size -= sizeOf(value as Value)
  }

  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      remove(key)
      entries.set(key, value)
      size += sizeOf(value)
      for (const oldest of entries.keys()) {
        if (size <= capacity || oldest === key) return
        remove(oldest)
      }
    },
  }
}
