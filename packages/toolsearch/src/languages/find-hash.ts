import type { HashTable } from './lexicon-format.ts'

/** The position of the first entry with this hash, or -1. */
export function findHash({ hashes }: HashTable, hash: number): number {
  let low = 0
  let high = hashes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hashes[middle]! < hash) low = middle + 1
    else high = middle
  }
  return hashes[low] === hash ? low : -1
}
