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

interface Entry<Value> {
  readonly value: Value
  /** Increases with each entry. */
  readonly order: number
}

/** What one owner has. */
interface Share<Key> {
  size: number
  /** The oldest first. */
  readonly keys: Set<Key>
}

/** @param capacity the maximum total size of all entries */
export function createBoundedMap<Key, Value>(
  capacity: number,
  options: BoundedMapOptions<Key, Value> = {},
): BoundedMap<Key, Value> {
  const { sizeOf = () => 1, ownerOf = () => '', isBusy = () => false, onDropped } = options
  const entries = new Map<Key, Entry<Value>>()
  const shares = new Map<string, Share<Key>>()
  let size = 0
  let order = 0

  function add(key: Key, value: Value): void {
    const owner = ownerOf(value, key)
    const share = shares.get(owner) ?? { size: 0, keys: new Set() }
    shares.set(owner, share)
    entries.set(key, { value, order: order++ })
    share.keys.add(key)
    share.size += sizeOf(value)
    size += sizeOf(value)
  }

  function remove(key: Key): boolean {
    const entry = entries.get(key)
    if (!entry) return false
    const { value } = entry
    const owner = ownerOf(value, key)
    const share = shares.get(owner)!
    entries.delete(key)
    share.keys.delete(key)
    if (share.keys.size === 0) shares.delete(owner)
    share.size -= sizeOf(value)
    size -= sizeOf(value)
    return true
  }

  /** The oldest entry of the owner who has the most. Looks at no entries of others: there can be many. */
  function nextToDrop(except: Key): Key | undefined {
    const largest = largestShare()
    let found: Key | undefined
    for (const share of shares.values()) {
      if (share.size < largest) continue
      const oldest = oldestIn(share, except)
      const isOlder = (than: Key) => entries.get(oldest as Key)!.order < entries.get(than)!.order
      if (oldest !== undefined && (found === undefined || isOlder(found))) found = oldest
    }
    return found
  }

  function oldestIn({ keys }: Share<Key>, except: Key): Key | undefined {
    for (const key of keys) {
      if (key === except) continue
      if (size > 2 * capacity || !isBusy(entries.get(key)!.value)) return key
    }
    return undefined
  }

  function largestShare(): number {
    let largest = 0
    for (const share of shares.values()) largest = Math.max(largest, share.size)
    return largest
  }

  return {
    get: (key) => entries.get(key)?.value,
    has: (key) => entries.has(key),
    set(key, value) {
      remove(key)
      add(key, value)
      while (size > capacity) {
        const dropped = nextToDrop(key)
        if (dropped === undefined) return
        const { value } = entries.get(dropped)!
        remove(dropped)
        onDropped?.(value, dropped)
      }
    },
    delete: remove,
    *entries() {
      for (const [key, { value }] of entries) yield [key, value]
    },
    isFullFor: (owner) => size >= capacity && (shares.get(owner)?.size ?? 0) + 1 >= largestShare(),
  }
}
