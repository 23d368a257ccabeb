import type { WordsQuery } from '../query/query.ts'
import { isProduct } from '../words/products.ts'
import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { synonymsOf } from '../words/synonyms.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { parseRawWord, rawWords } from '../words/words.ts'
import { type FieldedReader, keyPartsOf } from './fielded-reader.ts'
import type { FieldedWeights } from './fielded-weights.ts'
import type { Alternative, IndexQuery, QueryWord } from './index-scheme.ts'

const LOWER_CASE = /^[a-z]+$/
const MIN_PREFIX = 3
const MIN_TYPO = 4
/** Guessing is slow, and it does not help a query with more unknown words than this. */
const MAX_GUESSED = 8

interface Indexed {
  readonly vocabulary: Vocabulary
  readonly weights: FieldedWeights
  readonly reader: Pick<FieldedReader, 'knownTerm'>
}

/** Reads a query for the fielded ranker: its words, and the indexed terms that may stand for each. */
export function readFieldedQuery(
  query: WordsQuery,
  { vocabulary, weights, reader }: Indexed,
): IndexQuery {
  const words = new Map<string, QueryWord>()
  const key: string[] = []
  const unknownProducts: string[] = []
  let guesses = MAX_GUESSED
  for (const raw of rawWords(query.text)) {
    if (STOP_WORDS.has(raw)) {
      key.push(stem(raw))
      continue
    }
    const known = reader.knownTerm(raw)
    if (known !== undefined && LOWER_CASE.test(raw)) key.push(known)
    else key.push(...keyPartsOf(raw))
    const pieces = known === undefined ? pieceTerms(raw, vocabulary) : [{ word: known, weight: 1 }]
    for (const { word, weight } of pieces) {
      if (words.has(word)) continue
      let alternatives = knownAlternatives(word, vocabulary, weights)
      if (alternatives.length === 0) {
        if (isProduct(raw)) unknownProducts.push(raw)
        if (guesses-- > 0) alternatives = guessedAlternatives(word, vocabulary, weights)
      }
      // Always the same fields in the same order, which lets V8 optimise the ranking of words.
      words.set(word, { word, weight, alternatives })
    }
  }
  return { words: [...words.values()], key, unknownProducts }
}

/** An identifier that some tool contains as a whole stays whole: its pieces would match too much. */
function pieceTerms(raw: string, vocabulary: Vocabulary): Omit<QueryWord, 'alternatives'>[] {
  return parseRawWord(raw).flatMap(({ whole, pieces, weight = 1 }) => {
    if (STOP_WORDS.has(whole)) return []
    if (pieces.length === 0 || vocabulary.has(stem(whole))) return [{ word: stem(whole), weight }]
    return pieces
      .filter((piece) => !STOP_WORDS.has(piece))
      .map((piece) => ({ word: stem(piece), weight }))
  })
}

function knownAlternatives(
  word: string,
  vocabulary: Vocabulary,
  { synonym }: FieldedWeights,
): Alternative[] {
  const known: Alternative[] = []
  if (vocabulary.has(word)) known.push({ term: word, weight: 1, match: 'word' })
  for (const term of synonymsOf(word)) {
    if (vocabulary.has(term)) known.push({ term, weight: synonym, match: 'synonym' })
  }
  return known
}

/** The terms that a word may stand for if no tool contains the word itself. */
function guessedAlternatives(
  word: string,
  vocabulary: Vocabulary,
  { prefix, typo }: FieldedWeights,
): Alternative[] {
  if (/\d/.test(word)) return []
  // One Chinese character carries as much meaning as three letters.
  const isLong = word.length >= MIN_PREFIX || /\p{Script=Han}/u.test(word)
  const longer = isLong ? vocabulary.startingWith(word) : []
  if (longer.length > 0) return longer.map((term) => ({ term, weight: prefix, match: 'prefix' }))
  const meant = word.length < MIN_TYPO ? [] : vocabulary.resembling(word)
  return meant.map((term) => ({ term, weight: typo, match: 'typo' }))
}
