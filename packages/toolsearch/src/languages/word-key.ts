const NOT_ASCII = /[^\0-\x7f]/
/** Combining accents. Other marks, such as the vowels of Hindi, belong to the word. */
const ACCENTS = /[\u0300-\u036f\u064b-\u0652]/g

/** Arabic writes its article, also after "and", "with" and "for", as part of the word. */
const ARABIC_ARTICLE = /^(?:[\u0648\u0628\u0643]?\u0627\u0644|\u0644\u0644)(?=..)/

/**
 * The form in which words are compared: lower case without accents, as many people type them, and
 * without the Arabic article.
 */
export function wordKey(word: string): string {
  if (!NOT_ASCII.test(word)) return word.toLowerCase()
  const plain = word.toLowerCase().normalize('NFD').replace(ACCENTS, '').normalize('NFC')
  return plain
    .replace(ARABIC_ARTICLE, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
}

/** How long the beginning of a word must be, by the length of the ending that is left out. */
const MIN_STEM = [4, 4, 5, 6]

/** Beginnings of a word that its other forms may share, longest first, as keys of the lexicon. */
export function stemKeys(key: string): string[] {
  const keys: string[] = []
  for (let ending = 0; ending < MIN_STEM.length; ending++) {
    const length = key.length - ending
    if (length >= MIN_STEM[ending]!) keys.push(`${key.slice(0, length)}*`)
  }
  return keys
}

/** The longest run of characters in a script without spaces that is an entry of the lexicon. */
export const MAX_RUN = 8
