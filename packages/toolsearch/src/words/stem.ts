const LONGEST_WORD = 40

/**
 * Removes English endings from a lower-case word with Porter's algorithm (1980), so that `messages`,
 * `messaging` and `message` have the same stem. Returns words in other alphabets unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD || !isLowerCase(word)) return word
  // Loops over letters: in a fresh process, building an index stems thousands of words before V8 has
  // compiled a regular expression for each of these steps.
  let rest = withoutInflection(withoutPlural(word))
  if (rest.endsWith('y') && hasVowel(rest, rest.length - 1)) rest = `${rest.slice(0, -1)}i`
  rest = replaceEnding(rest, SUFFIXES)
  rest = replaceEnding(rest, ENDINGS)
  return withoutFinalLetters(withoutLastSuffix(rest))
}

function isLowerCase(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at)
    if (letter < 97 || letter > 122) return false
  }
  return true
}

const Y = 'y'.charCodeAt(0)
/** The letters a, e, i, o and u as bits, from a to z. */
const AEIOU = lettersOf('aeiou')

function lettersOf(letters: string): number {
  let bits = 0
  for (const letter of letters) bits |= 1 << (letter.charCodeAt(0) - 97)
  return bits
}

function isOneOf(letters: number, word: string, at: number): boolean {
  return ((letters >> (word.charCodeAt(at) - 97)) & 1) === 1
}

/** A y is a vowel after a consonant, but not at the start of a word or after a vowel. */
function isVowel(word: string, at: number): boolean {
  if (isOneOf(AEIOU, word, at)) return true
  return word.charCodeAt(at) === Y && at > 0 && !isOneOf(AEIOU, word, at - 1)
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true
  return false
}

/**
 * Porter's measure of the first `end` letters, the number of vowel-consonant sequences: `tree` 0,
 * `trouble` 1, `troubles` 2.
 */
function measure(word: string, end: number): number {
  let count = 0
  let wasVowel = false
  for (let at = 0; at < end; at++) {
    const vowel = isVowel(word, at)
    if (wasVowel && !vowel) count++
    wasVowel = vowel
  }
  return count
}

const NOT_DOUBLED = lettersOf('aeiouylsz')
const NOT_SHORT = lettersOf('aeiouwxy')
const S_OR_T = lettersOf('st')

function endsWithDouble(word: string): boolean {
  const last = word.length - 1
  return word[last] === word[last - 1] && !isOneOf(NOT_DOUBLED, word, last)
}

/** Whether the first `end` letters end with consonant, vowel, consonant, the last not w, x or y. */
function endsWithShortSyllable(word: string, end: number): boolean {
  if (end < 2 || isOneOf(NOT_SHORT, word, end - 1) || !isVowel(word, end - 2)) return false
  return end === 2 || !isOneOf(AEIOU, word, end - 3)
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses') || (word.endsWith('ies') && word.length > 4)) return word.slice(0, -2)
  return word.endsWith('ss') || word.endsWith('us') ? word : word.slice(0, -1)
}

function withoutInflection(word: string): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word
  const length = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const end = word.length - length
  if (length === 0 || end < 2 || !hasVowel(word, end)) return word
  const base = word.slice(0, end)
  if (base.endsWith('at') || base.endsWith('bl') || base.endsWith('iz')) return `${base}e`
  // A stem of three letters keeps its double consonant: "adding" becomes "add".
  if (end > 3 && endsWithDouble(base)) return base.slice(0, -1)
  return measure(base, end) === 1 && endsWithShortSyllable(base, end) ? `${base}e` : base
}

interface Ending {
  readonly ending: string
  readonly replacement: string
  /** The measure that the rest of the word must exceed. */
  readonly above: number
}

/** Endings by their last letter, longest first. */
type Endings = ReadonlyMap<number, readonly Ending[]>

const SUFFIXES = endings(
  0,
  `ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous
  ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive
  biliti:ble logi:log`,
)
const ENDINGS = endings(0, 'icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')
const LAST_SUFFIXES = endings(
  1,
  'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize',
)

function endings(above: number, list: string): Endings {
  const byLastLetter = new Map<number, Ending[]>()
  for (const pair of list.split(/\s+/)) {
    const [ending = '', replacement = ''] = pair.split(':')
    const last = ending.charCodeAt(ending.length - 1)
    const others = byLastLetter.get(last) ?? []
    others.push({ ending, replacement, above })
    byLastLetter.set(
      last,
      others.sort((a, b) => b.ending.length - a.ending.length),
    )
  }
  return byLastLetter
}

/** Only the longest matching ending is tried, even if the remaining stem is too short for it. */
function replaceEnding(word: string, endings: Endings): string {
  const candidates = endings.get(word.charCodeAt(word.length - 1))
  if (candidates === undefined) return word
  for (const { ending, replacement, above } of candidates) {
    if (!word.endsWith(ending)) continue
    const base = word.slice(0, -ending.length)
    return measure(base, base.length) > above ? base + replacement : word
  }
  return word
}

function withoutLastSuffix(word: string): string {
  if (!word.endsWith('ion')) return replaceEnding(word, LAST_SUFFIXES)
  const end = word.length - 3
  // One syllable is enough before "ion", so that "creation" and "create" have the same stem.
  return isOneOf(S_OR_T, word, end - 1) && measure(word, end) > 0 ? word.slice(0, end) : word
}

function withoutFinalLetters(word: string): string {
  let end = word.length
  if (word.endsWith('e')) {
    const size = measure(word, end - 1)
    if (size > 1 || (size === 1 && !endsWithShortSyllable(word, end - 1))) end--
  }
  if (word.endsWith('ll', end) && measure(word, end) > 1) end--
  return word.slice(0, end)
}
