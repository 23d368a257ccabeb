type Key = readonly string[]

/**
 * Finds documents by the words of a name. Keeps only a hash of the words, which takes a tenth of the
 * memory: the words of the few documents with the right hash can be read again.
 */
export interface NameKeys {
  add(key: Key, slot: number): void
  delete(key: Key, slot: number): void
  /** The slots that were added with this key. `keyOf` returns the key of a slot. */
  find(key: Key, keyOf: (slot: number) => Key | undefined): readonly number[]
}

const NONE: readonly number[] = []

export function createNameKeys(): NameKeys {
  // Nearly every key belongs to one tool, and a number needs no separate allocation.
  const byHash = new Map<number, number | number[]>()

  return {
    add(key, slot) {
      const hash = hashOf(key)
      const others = byHash.get(hash)
      if (others === undefined) byHash.set(hash, slot)
      else if (typeof others === 'number') byHash.set(hash, [others, slot])
      else others.push(slot)
    },
    delete(key, slot) {
      const hash = hashOf(key)
      const slots = byHash.get(hash)
      if (slots === slot) byHash.delete(hash)
      if (typeof slots !== 'object') return
      const others = slots.filter((other) => other !== slot)
      byHash.set(hash, others.length === 1 ? others[0]! : others)
    },
    find(key, keyOf) {
      const found = byHash.get(hashOf(key))
      if (found === undefined) return NONE
      const slots = typeof found === 'number' ? [found] : found
      return slots.filter((slot) => isSame(keyOf(slot), key))
    },
  }
}

function hashOf(key: Key): number {
  let hash = 0
  for (const part of key) {
    for (let at = 0; at < part.length; at++)
      hash = Math.imul(hash ^ part.charCodeAt(at), 0x9e3779b1)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  }
  return hash
}

function isSame(a: Key | undefined, b: Key): boolean {
  return a?.length === b.length && a.every((part, at) => part === b[at])
}
