import { findHash } from './find-hash.ts'
import { hashKey } from './hash-key.ts'
import type { LexiconData } from './lexicon-format.ts'
import { splitText } from './split-text.ts'
import { MAX_RUN, stemKeys, wordKey } from './word-key.ts'

/** A word of the text and the English word that stands for it. */
interface TranslatedWord {
  readonly from: string
  readonly to: string
}

export interface TranslatedText {
  /** English words, and the words of the text that have no translation, in order. */
  readonly text: string
  readonly words: readonly TranslatedWord[]
}

/** A query is rarely longer. The rest of a document stays as it is. */
const MAX_LENGTH = 4_000
/** Shorter parts of a compound are found by coincidence. */
const MIN_COMPOUND_PART = 3
const MIN_COMPOUND = 7
const MAX_COMPOUND = 40
/** Letters that German and its relatives put between the parts of a compound. */
const LINKS = ['', 's', 'es', 'n', 'en']

/**
 * Translates word by word: the word itself, then its stem, then the parts of a compound; characters
 * of scripts without spaces by the longest run that the lexicon contains. Product names, file names,
 * identifiers and unknown words stay. Function words are left out.
 */
export function translateText(
  text: string,
  { words, entries }: Pick<LexiconData, 'words' | 'entries'>,
): TranslatedText {
  const out: string[] = []
  const pairs: TranslatedWord[] = []
  for (const part of splitText(text.slice(0, MAX_LENGTH))) {
    if (part.kind === 'verbatim') out.push(part.text)
    else if (part.kind === 'run') addRun(part.text)
    else addWord(part.text)
  }
  if (text.length > MAX_LENGTH) out.push(text.slice(MAX_LENGTH))
  return { text: out.join(' '), words: pairs }

  function addWord(word: string): void {
    const key = wordKey(word)
    const found = lookUp(key) ?? lookUpStem(key)
    const parts = found === undefined ? splitCompound(key) : [found]
    if (parts === undefined) out.push(word)
    else for (const part of parts) add(word, part)
  }

  function addRun(run: string): void {
    const characters = [...run]
    for (let from = 0; from < characters.length; ) {
      let length = Math.min(MAX_RUN, characters.length - from)
      for (; length > 0; length--) {
        const piece = characters.slice(from, from + length).join('')
        const found = lookUp(piece)
        if (found === undefined) continue
        add(piece, found)
        break
      }
      from += Math.max(length, 1)
    }
  }

  function add(from: string, to: string): void {
    if (to === '') return
    const isSame = to === wordKey(from)
    out.push(isSame ? from : to)
    if (!isSame) pairs.push({ from, to })
  }

  function lookUp(key: string): string | undefined {
    const at = findHash(entries, hashKey(key))
    return at < 0 ? undefined : words[entries.values[at]!]
  }

  function lookUpStem(key: string): string | undefined {
    for (const stem of stemKeys(key)) {
      const found = lookUp(stem)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The translations of both parts, at the split with the longest second part. */
  function splitCompound(key: string): string[] | undefined {
    if (key.length < MIN_COMPOUND || key.length > MAX_COMPOUND) return undefined
    for (let at = MIN_COMPOUND_PART; at <= key.length - MIN_COMPOUND_PART; at++) {
      const second = lookUp(key.slice(at)) ?? lookUpStem(key.slice(at))
      if (!second) continue
      for (const link of LINKS) {
        const first = key.slice(0, at - link.length)
        if (first.length < MIN_COMPOUND_PART || !key.slice(0, at).endsWith(link)) continue
        const found = lookUp(first) ?? lookUp(`${first}*`)
        if (found) return [found, second]
      }
    }
    return undefined
  }
}
