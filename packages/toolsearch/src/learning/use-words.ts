import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { wordsOf } from '../words/words.ts'

const MAX_WORDS = 40
const MAX_LENGTH = 400
const ADDRESS = /@|:\/\/|\\|\/.*\/|^[~./]/
/** Two dots between letters or digits, as in `db.internal.example`, or a path after a dot. */
const HOST = /^www\.|[\p{L}\p{N}]\.[\p{L}\p{N}-]+\.[\p{L}\p{N}]|\.[\p{L}\p{N}-]+\//iu
const NUMBER = /^\p{N}+$|\p{N}.*\p{N}.*\p{N}/u
/** How keys of well-known services begin, and JWTs. */
const KEY_START = /^((sk|pk|rk|whsec|xox[a-z]|gh[opsru]|glpat|hf|shpat)[-_]|AIza|AKIA|ASIA|eyJ)/
const KEY_LENGTH = 16

/**
 * The words of a request that are worth remembering. Addresses, host names, paths, numbers and keys are
 * left out: they are values of one request and may be private.
 */
export function useWords(text: string): string {
  const kept: string[] = []
  for (const token of text.slice(0, 4 * MAX_LENGTH).split(/\s+/)) {
    const bare = token.replace(/^[+"'`([{<]+/, '')
    if (bare === '' || ADDRESS.test(bare) || HOST.test(bare) || isSecret(bare)) continue
    for (const { whole } of wordsOf(bare)) if (!NUMBER.test(whole)) kept.push(whole)
    if (kept.length >= MAX_WORDS) break
  }
  return kept.slice(0, MAX_WORDS).join(' ').slice(0, MAX_LENGTH)
}

/** Whether a text is probably a key or token: people do not write long words of letters and digits. */
function isSecret(token: string): boolean {
  if (KEY_START.test(token) && token.length >= 12 && /\p{N}|\p{Lu}/u.test(token)) return true
  return (
    token
      // ASCII, because Chinese and Japanese sentences have no spaces
      .split(/[^a-z0-9]+/i)
      .some((part) => part.length >= KEY_LENGTH && /[0-9]/.test(part) && /[a-z]/i.test(part))
  )
}

/** The terms by which requests are compared: stems, without duplicates and stop words. */
export function useTerms(words: string): ReadonlySet<string> {
  const terms = new Set<string>()
  for (const { whole } of wordsOf(words)) if (!STOP_WORDS.has(whole)) terms.add(stem(whole))
  return terms
}
