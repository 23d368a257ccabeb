/** A map that drops its oldest entries when it grows beyond its capacity. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  /** Always keeps the new entry, even if it exceeds the capacity on its own. */
  set(key: Key, value: Value): void
  delete(key: Key): boolean
  /** Those that were set longest ago first. */
  entries(): IterableIterator<[Key, Value]>
  /** Whether one more entry of this owner would drop another one of the same owner. */
  isFullFor(owner: string): boolean
}

export interface BoundedMapOptions<Key, Value> {
  /** @default every entry counts as 1 */
  readonly sizeOf?: (value: Value) => number
  /**
   * Whose entries are dropped: those of the owner who has the most. So nobody can take what others need.
   * @default all have the same owner
   */
  readonly ownerOf?: (value: Value, key: Key) => string
  /** Entries that are only dropped at twice the capacity. @default none */
  readonly isBusy?: (value: Value) => boolean
  readonly onDropped?: (value: Value, key: Key) => void
}

/** @param capacity the maximum total size of all entries */
export function createBoundedMap<Key, Value>(
  capacity: number,
  options: BoundedMapOptions<Key, Value> = {},
): BoundedMap<Key, Value> {
  const { sizeOf = () => 1, ownerOf = () => '', isBusy = () => false, onDropped } = options
  const entries = new Map<Key, Value>()
  const sizes = new Map<string, number>()
  let size = 0

  function grow(owner: string, by: number): void {
    size += by
    const owned = (sizes.get(owner) ?? 0) + by
    if (owned > 0) sizes.set(owner, owned)
    else sizes.delete(owner)
  }

  function remove(key: Key): boolean {
    const value = entries.get(key)
    if (!entries.delete(key)) return false
    grow(ownerOf(value as Value, key), -sizeOf(value as Value))
    return true
  }

  /** The oldest entry of an owner with this much. */
  function oldestOf(share: number, except: Key): [Key, Value] | undefined {
    for (const entry of entries) {
      const [key, value] = entry
      if (key === except || sizes.get(ownerOf(value, key))! < share) continue
      if (size > 2 * capacity || !isBusy(value)) return entry
    }
    return undefined
  }

  function largestShare(): number {
    let largest = 0
    for (const owned of sizes.values()) largest = Math.max(largest, owned)
    return largest
  }

  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      remove(key)
      entries.set(key, value)
      grow(ownerOf(value, key), sizeOf(value))
      while (size > capacity) {
        const oldest = oldestOf(largestShare(), key)
        if (!oldest) return
        remove(oldest[0])
        onDropped?.(oldest[1], oldest[0])
      }
    },
    delete: remove,
    entries: () => entries.entries(),
    isFullFor: (owner) => size >= capacity && (sizes.get(owner) ?? 0) + 1 >= largestShare(),
  }
}
