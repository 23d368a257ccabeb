import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { splitIdentifier } from '../words/split-identifier.ts'
import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { synonymsOf } from '../words/synonyms.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { parseRawWord, rawWords, type Word, wordsOf } from '../words/words.ts'
import { FIELDED_WEIGHTS, type FieldedWeights, type FieldWeight } from './fielded-weights.ts'
import {
  type Alternative,
  createIndexRanker,
  type FieldShare,
  type IndexedTool,
  type IndexQuery,
  type QueryWord,
} from './index-ranker.ts'
import type { Field, Ranker } from './ranker.ts'
import { localName, toolFields } from './tool-fields.ts'

const LOWER_CASE = /^[a-z]+$/
const MIN_PREFIX = 3
const MIN_TYPO = 4
/** Guessing is slow, and it does not help a query with more unknown words than this. */
const MAX_GUESSED = 8

/**
 * The default: BM25 over fields. The weight of a word depends on its field and on how few tools
 * contain it. Word endings are ignored, and every script works. A query that is a tool's name finds
 * that tool. A word that no tool contains is treated as a prefix or a typing error.
 */
export function fieldedRanker(weights: FieldedWeights = FIELDED_WEIGHTS): Ranker {
  // Explained searches come in series that return the same tools: a person types a query, one letter
  // at a time. Reading the text of a tool takes much longer than looking up a few terms.
  const explained = new WeakMap<Tool, SharesByTerm>()
  return createIndexRanker({
    name: 'fielded',
    k1: weights.k1,
    // Each field has its own length penalty instead.
    b: 0,
    idealWeight: weights.fields.name.weight,
    doubt: weights.doubt,
    nameCoverage: weights.nameCoverage,
    readTool: (tool) => readTool(tool, weights),
    readQuery: (query, vocabulary) => readQuery(query, vocabulary, weights),
    fieldShares(tool, terms) {
      const shares = explained.get(tool) ?? fieldShares(tool, weights)
      explained.set(tool, shares)
      return terms.map((term) => shares.get(term)!)
    },
  })
}

function readTool(tool: Tool, { fields }: FieldedWeights): IndexedTool {
  const weights = new Map<string, number>()
  for (const { kind, text } of toolFields(tool)) {
    const terms = fieldTerms(text)
    const each = termWeight(fields[kind], terms.length)
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each)
  }
  return {
    weights,
    length: 0,
    nameTerms: nameTerms(localName(tool)),
    keys: [...new Set([tool.name, localName(tool)].map(nameKey))].filter(Boolean),
  }
}

/** The weight of one occurrence of a term in a field of this length. */
function termWeight({ weight, typicalLength, b }: FieldWeight, length: number): number {
  return weight / (1 - b + (b * length) / typicalLength)
}

type SharesByTerm = ReadonlyMap<string, readonly FieldShare[]>

function fieldShares(tool: Tool, { fields }: FieldedWeights): SharesByTerm {
  const shares = new Map<string, readonly FieldShare[]>()
  const weights = new Map<string, Map<Field, number>>()
  for (const { field, kind, text } of toolFields(tool)) {
    const terms = fieldTerms(text)
    const each = termWeight(fields[kind], terms.length)
    for (const term of terms) {
      const byField = weights.get(term) ?? new Map<Field, number>()
      weights.set(term, byField.set(field, (byField.get(field) ?? 0) + each))
    }
  }
  for (const [term, byField] of weights) {
    let total = 0
    for (const weight of byField.values()) total += weight
    const [only] = byField.keys()
    if (byField.size === 1) shares.set(term, wholly(only!))
    else
      shares.set(
        term,
        [...byField].map(([field, weight]) => ({ field, share: weight / total })),
      )
  }
  return shares
}

/** Most terms are in one field only, so these lists are shared. */
const whole = new Map<Field, readonly FieldShare[]>()

function wholly(field: Field): readonly FieldShare[] {
  const shares = whole.get(field) ?? [{ field, share: 1 }]
  whole.set(field, shares)
  return shares
}

function fieldTerms(text: string): string[] {
  const terms: string[] = []
  for (const raw of rawWords(text)) {
    const found = termsOf(raw)
    if (typeof found === 'string') terms.push(found)
    else for (const term of found) terms.push(term)
  }
  return terms
}

/** The one term of a plain word, or the list of terms of a stop word or a compound word. */
type Terms = string | readonly string[]

const termsCache = new Map<string, Terms>()
const MAX_CACHED = 50_000
const MAX_CACHED_LENGTH = 40
const NONE: readonly string[] = []

/** Cached, because the same few thousand words make up any catalogue. */
function termsOf(raw: string): Terms {
  let terms = termsCache.get(raw)
  if (terms === undefined) {
    // V8 represents a longer substring as a slice, which would keep the whole text in memory.
    const word = raw.length > 12 ? [...raw].join('') : raw
    terms = readTerms(parseRawWord(word))
    if (word.length > MAX_CACHED_LENGTH) return terms
    if (termsCache.size >= MAX_CACHED) termsCache.clear()
    termsCache.set(word, terms)
  }
  return terms
}

function readTerms(words: readonly Word[]): Terms {
  const all = words.flatMap(({ whole, pieces }) => [whole, ...pieces])
  const terms = all.filter((word) => !STOP_WORDS.has(word)).map(stem)
  if (terms.length === 0) return NONE
  return all.length === 1 ? terms[0]! : terms
}

function readQuery(query: WordsQuery, vocabulary: Vocabulary, weights: FieldedWeights): IndexQuery {
  const words = new Map<string, QueryWord>()
  const key: string[] = []
  let guesses = MAX_GUESSED
  for (const text of rawWords(query.text)) {
    const plain = termsOf(text)
    addKeyParts(text, plain, key)
    for (const word of typeof plain === 'string' ? [plain] : pieceTerms(text, vocabulary)) {
      if (words.has(word)) continue
      const known = knownAlternatives(word, vocabulary, weights)
      const mayGuess = known.length === 0 && guesses-- > 0
      const alternatives = mayGuess ? guessedAlternatives(word, vocabulary, weights) : known
      words.set(word, { word, alternatives })
    }
  }
  return { words: [...words.values()], key: key.join(' ') }
}

/** An identifier that some tool contains as a whole stays whole: its pieces would match too much. */
function pieceTerms(raw: string, vocabulary: Vocabulary): string[] {
  return parseRawWord(raw).flatMap(({ whole, pieces }) => {
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

/** `getUser`, `get_user` and `get users` have the same key. */
function nameKey(text: string): string {
  const key: string[] = []
  for (const raw of rawWords(text)) addKeyParts(raw, termsOf(raw), key)
  return key.join(' ')
}

function addKeyParts(raw: string, terms: Terms, key: string[]): void {
  if (LOWER_CASE.test(raw)) key.push(keyPart(raw, terms))
  else for (const piece of splitIdentifier(raw)) key.push(keyPart(piece, termsOf(piece)))
}

function nameTerms(name: string): Set<string> {
  const words = wordsOf(name).flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem))
}

function keyPart(piece: string, terms: Terms): string {
  return typeof terms === 'string' ? terms : stem(piece.toLowerCase())
}
