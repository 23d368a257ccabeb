import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { splitIdentifier } from '../words/split-identifier.ts'
import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { synonymsOf } from '../words/synonyms.ts'
import { readWritten, type Word, wordsOf, writtenWords } from '../words/words.ts'
import { FIELDED_WEIGHTS, type FieldedWeights } from './fielded-weights.ts'
import {
  type Alternative,
  createIndexRanker,
  type IndexedTool,
  type QueryWord,
} from './index-ranker.ts'
import type { Field, Ranker } from './ranker.ts'
import { localName, toolFields } from './tool-fields.ts'
import type { Vocabulary } from './vocabulary.ts'

const MIN_PREFIX = 3
const MIN_TYPO = 4
// a page of words that no tool knows is no query that guessing could help
const MAX_GUESSED = 8

/**
 * The default: BM25 over fields. A word counts by where it stands and by how rare it is, endings
 * do not matter, words of any script are found, and a query that is a tool's name finds that tool.
 * A word no tool has is taken for one that begins so or for a typing error.
 */
export function fieldedRanker(weights: FieldedWeights = FIELDED_WEIGHTS): Ranker {
  return createIndexRanker({
    name: 'fielded',
    k1: weights.k1,
    // each field is marked down by its own usual length instead
    b: 0,
    idealWeight: weights.fields.name.weight,
    doubt: weights.doubt,
    nameCoverage: weights.nameCoverage,
    read: (tool) => readTool(tool, weights),
    words: (query, vocabulary) => queryWords(query, vocabulary, weights),
    queryKey: (query) => nameKey(query.text),
  })
}

function readTool(tool: Tool, { fields }: FieldedWeights): IndexedTool {
  const weights = new Map<string, number>()
  const parts = toolFields(tool).map(({ field, kind, text }) => {
    const terms = fieldTerms(text)
    const { weight, usual, b } = fields[kind]
    const each = weight / (1 - b + (b * terms.length) / usual)
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each)
    return { field, terms, each }
  })
  return {
    weights,
    length: 0,
    nameTerms: nameTerms(localName(tool)),
    keys: [...new Set([tool.name, localName(tool)].map(nameKey))].filter(Boolean),
    shares(term) {
      const byField = new Map<Field, number>()
      for (const { field, terms, each } of parts) {
        const count = terms.filter((one) => one === term).length
        if (count > 0) byField.set(field, (byField.get(field) ?? 0) + count * each)
      }
      return [...byField].map(([field, weight]) => ({ field, share: weight / weights.get(term)! }))
    },
  }
}

function fieldTerms(text: string): string[] {
  const terms: string[] = []
  for (const written of writtenWords(text)) {
    const known = termsOf(written)
    if (typeof known === 'string') terms.push(known)
    else for (const term of known) terms.push(term)
  }
  return terms
}

const known = new Map<string, string | readonly string[]>()
const MAX_KNOWN = 50_000
const MAX_KNOWN_LENGTH = 40
const NONE: readonly string[] = []

/**
 * The one term of a plain word, or the list of what a stop word or a word of pieces gives.
 * The same few thousand words make up any catalogue.
 */
function termsOf(written: string): string | readonly string[] {
  let terms = known.get(written)
  if (terms === undefined) {
    // a longer part of a text would keep the whole text in memory
    const word = written.length > 12 ? [...written].join('') : written
    terms = readTerms(readWritten(word))
    if (word.length > MAX_KNOWN_LENGTH) return terms
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(word, terms)
  }
  return terms
}

function readTerms(words: readonly Word[]): string | readonly string[] {
  const all = words.flatMap(({ whole, pieces }) => [whole, ...pieces])
  const terms = all.filter((word) => !STOP_WORDS.has(word)).map(stem)
  if (terms.length === 0) return NONE
  return all.length === 1 ? terms[0]! : terms
}

function queryWords(
  query: WordsQuery,
  vocabulary: Vocabulary,
  weights: FieldedWeights,
): QueryWord[] {
  const words = new Map<string, QueryWord>()
  let guesses = MAX_GUESSED
  for (const written of writtenWords(query.text)) {
    const plain = termsOf(written)
    for (const word of typeof plain === 'string' ? [plain] : ofPieces(written, vocabulary)) {
      if (words.has(word)) continue
      const known = knownAlternatives(word, vocabulary, weights)
      const mayGuess = known.length === 0 && guesses-- > 0
      const alternatives = mayGuess ? guessedAlternatives(word, vocabulary, weights) : known
      words.set(word, { word, alternatives })
    }
  }
  return [...words.values()]
}

/** A name written as in the catalogue says it best; its pieces would only bring in others. */
function ofPieces(written: string, vocabulary: Vocabulary): string[] {
  return readWritten(written).flatMap(({ whole, pieces }) => {
    if (STOP_WORDS.has(whole)) return []
    if (pieces.length === 0 || vocabulary.has(stem(whole))) return [stem(whole)]
    return pieces.filter((piece) => !STOP_WORDS.has(piece)).map(stem)
  })
}

function knownAlternatives(
  word: string,
  vocabulary: Vocabulary,
  { synonym }: FieldedWeights,
): Alternative[] {
  const synonyms = synonymsOf(word)
    .filter((term) => vocabulary.has(term))
    .map((term): Alternative => ({ term, weight: synonym, match: 'synonym' }))
  if (!vocabulary.has(word)) return synonyms
  return [{ term: word, weight: 1, match: 'word' }, ...synonyms]
}

/** What may be meant by a word that no tool has. */
function guessedAlternatives(
  word: string,
  vocabulary: Vocabulary,
  { prefix, typo }: FieldedWeights,
): Alternative[] {
  if (/\d/.test(word)) return []
  // one character of Chinese says as much as three letters
  const isLong = word.length >= MIN_PREFIX || /\p{Script=Han}/u.test(word)
  const longer = isLong ? vocabulary.startingWith(word) : []
  if (longer.length > 0) return longer.map((term) => ({ term, weight: prefix, match: 'prefix' }))
  const meant = word.length < MIN_TYPO ? [] : vocabulary.resembling(word)
  return meant.map((term) => ({ term, weight: typo, match: 'typo' }))
}

/** `getUser`, `get_user` and `get users` have one key. */
function nameKey(text: string): string {
  return splitIdentifier(text.normalize('NFKC')).map(keyPart).join(' ')
}

function nameTerms(name: string): Set<string> {
  const words = wordsOf(name).flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem))
}

function keyPart(piece: string): string {
  const plain = termsOf(piece)
  return typeof plain === 'string' ? plain : stem(piece.toLowerCase())
}
