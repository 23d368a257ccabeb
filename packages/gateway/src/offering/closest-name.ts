import { closestKey } from '../config/closest-key.ts'

/** Shorter words are too common to suggest that two names are related. */
const SHORTEST_STEM = 4

/**
 * The name that a person most likely meant: the one with the fewest typing mistakes, otherwise the one
 * with the most words in common. Undefined if no name is similar.
 *
 * @example
 * closestName('transfers_*', ['get_balance', 'transfer_money']) // 'transfer_money'
 */
export function closestName(written: string, names: readonly string[]): string | undefined {
  const typo = closestKey(written, names)
  if (typo !== undefined) return typo
  const words = wordsOf(written)
  let closest: string | undefined
  let most = 0
  for (const name of names) {
    const known = wordsOf(name)
    const shared = words.filter((word) => known.some((other) => isRelated(word, other))).length
    if (shared <= most) continue
    most = shared
    closest = name
  }
  return closest
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

function isRelated(word: string, other: string): boolean {
  if (word === other) return true
  const [short, long] = word.length < other.length ? [word, other] : [other, word]
  return short.length >= SHORTEST_STEM && long.startsWith(short)
}
