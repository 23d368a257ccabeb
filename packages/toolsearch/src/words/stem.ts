const LONGEST_WORD = 40

/**
 * Removes English endings from a lower-case word with Porter's algorithm (1980), so that `messages`,
 * `messaging` and `message` have the same stem. Returns words in other alphabets unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD || !/^[a-z]+$/.test(word)) return word
  return STEPS.reduce((rest, step) => step(rest), word)
}

// A y is a vowel after a consonant, but not at the start of a word or after a vowel.
const VOWELS = /[aeiou]|(?<=[^aeiou])y/
const DOUBLE = /([^aeiouylsz])\1$/
const SHORT_SYLLABLE = /(?:^|[^aeiou])(?:[aeiou]|(?<=[^aeiou])y)[^aeiouwxy]$/

/** Porter's measure, the number of vowel-consonant sequences: `tree` 0, `trouble` 1, `troubles` 2. */
function measure(word: string): number {
  const pattern = word.replace(/[aeiou]|(?<=[^aeiou])y/g, '+').replace(/[^+]/g, '-')
  return pattern.match(/\+-/g)?.length ?? 0
}

type Step = (word: string) => string

const plural: Step = (word) => {
  if (/(?:ss|..i)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const inflection: Step = (word) => {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const base = /^(.{2,}?)(?:ed|ing)$/.exec(word)?.[1]
  if (base === undefined || !VOWELS.test(base)) return word
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  // A stem of three letters keeps its double consonant: "adding" becomes "add".
  if (DOUBLE.test(base) && base.length > 3) return base.slice(0, -1)
  return measure(base) === 1 && SHORT_SYLLABLE.test(base) ? `${base}e` : base
}

const finalY: Step = (word) =>
  word.endsWith('y') && VOWELS.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

const SUFFIXES: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
}
const ENDINGS: Record<string, string> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}

const longSuffix: Step = (word) => replaceEnding(word, SUFFIXES)
const shortSuffix: Step = (word) => replaceEnding(word, ENDINGS)

/** Only the longest matching ending is tried, even if the remaining stem is too short for it. */
function replaceEnding(word: string, endings: Record<string, string>): string {
  for (let length = 7; length > 1; length--) {
    const ending = word.slice(-length)
    if (ending.length < length || !Object.hasOwn(endings, ending)) continue
    const base = word.slice(0, -length)
    return measure(base) > 0 ? base + endings[ending] : word
  }
  return word
}

const LAST_SUFFIX =
  /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

const lastSuffix: Step = (word) => {
  const ending = LAST_SUFFIX.exec(word)?.[0]
  if (ending === undefined) return word
  const base = word.slice(0, -ending.length)
  // One syllable is enough before "ion", so that "creation" and "create" have the same stem.
  return measure(base) > (ending === 'ion' ? 0 : 1) ? base : word
}

const finalLetters: Step = (word) => {
  let rest = word
  if (rest.endsWith('e')) {
    const base = rest.slice(0, -1)
    const size = measure(base)
    if (size > 1 || (size === 1 && !SHORT_SYLLABLE.test(base))) rest = base
  }
  return rest.endsWith('ll') && measure(rest) > 1 ? rest.slice(0, -1) : rest
}

const STEPS: readonly Step[] = [
  plural,
  inflection,
  finalY,
  longSuffix,
  shortSuffix,
  lastSuffix,
  finalLetters,
]
