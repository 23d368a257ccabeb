interface Expiring<Key> {
  entries(): Iterator<[Key, { readonly expiresAt: number }]>
  delete(key: Key): boolean
}

/** How many entries are checked at a time. */
const CHECKED = 10

/**
 * Returns a function that deletes expired entries. Each call checks a few, and where the last one has stopped, so that
 * no call takes long and all entries get their turn. Call it before each write.
 */
export function createExpirySweep<Key>(map: Expiring<Key>, now: () => number): () => void {
  // Iterators of maps go on to what is added meanwhile.
  let next = map.entries()
  return () => {
    for (let checked = 0; checked < CHECKED; checked++) {
      const { done, value } = next.next()
      if (done) {
        next = map.entries()
        return
      }
      const [key, { expiresAt }] = value
      if (expiresAt <= now()) map.delete(key)
    }
  }
}
