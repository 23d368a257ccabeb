import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { wordsOf } from '../words/words.ts'

const MAX_WORDS = 40
const MAX_LENGTH = 400
const ADDRESS = /@|:\/\/|\\|\/.*\/|^[~./]/
const NUMBER = /^\p{N}+$|\p{N}.*\p{N}.*\p{N}/u

/**
 * The words of a request that are worth remembering. Addresses, paths and numbers are left out: they
 * are values of one request and may be private.
 */
export function useWords(text: string): string {
  const kept: string[] = []
  for (const token of text.slice(0, 4 * MAX_LENGTH).split(/\s+/)) {
    const bare = token.replace(/^[+"'`([{<]+/, '')
    if (bare === '' || ADDRESS.test(bare)) continue
    for (const { whole } of wordsOf(bare)) if (!NUMBER.test(whole)) kept.push(whole)
    if (kept.length >= MAX_WORDS) break
  }
  return kept.slice(0, MAX_WORDS).join(' ').slice(0, MAX_LENGTH)
}

/** The terms by which requests are compared: stems, without duplicates and stop words. */
export function useTerms(words: string): ReadonlySet<string> {
  const terms = new Set<string>()
  for (const { whole } of wordsOf(words)) if (!STOP_WORDS.has(whole)) terms.add(stem(whole))
  return terms
}
