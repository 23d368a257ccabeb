import { detectLanguage, type TextLanguage } from './detect-language.ts'
import { readLexicon } from './lexicon-format.ts'
import { type TranslatedText, translateText } from './translate-text.ts'

/** A dictionary from other languages to English, learned from translated texts. */
export interface Lexicon {
  /** The language of a text, or undefined if the text is English or too short to tell. */
  detect(text: string): TextLanguage | undefined
  /** Translates a text word by word. Call `detect` first: English texts would suffer. */
  translate(text: string): TranslatedText
}

/**
 * Reads a lexicon file, such as the one that `loadLexicon()` of toolsearch-semantics reads for you.
 *
 * @throws LexiconError with the code `bad_lexicon` if the file is cut, damaged or of another version
 */
export function createLexicon(bytes: Uint8Array): Lexicon {
  const data = readLexicon(bytes)
  return {
    detect: (text) => detectLanguage(text, data),
    translate: (text) => translateText(text, data),
  }
}
