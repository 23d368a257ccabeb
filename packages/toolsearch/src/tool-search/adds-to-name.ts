import { STOP_WORDS } from '../words/stop-words.ts'

/** Words that say nothing about one parameter, because they are true of most. */
const USUAL = new Set(
  'optional required parameter parameters value values string number boolean specify'.split(' '),
)
const MIN_SHARED = 4

/** Whether a description says more than the name of its parameter, as "The page" does not of `page`. */
export function addsToName(description: string, name: string): boolean {
  const known = wordsIn(name)
  // Any longer text says more than a name.
  return wordsIn(description.slice(0, 100)).some(
    (word) => !STOP_WORDS.has(word) && !USUAL.has(word) && !known.some((own) => isSame(own, word)),
  )
}

function wordsIn(text: string): string[] {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return split.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The same word, perhaps in another form: stemming thousands of words would slow down every search. */
function isSame(some: string, other: string): boolean {
  if (some === other) return true
  const isLong = Math.min(some.length, other.length) >= MIN_SHARED
  return isLong && (some.startsWith(other) || other.startsWith(some))
}
