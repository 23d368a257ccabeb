import type { Tool } from '../catalogue/tool.ts'
import { splitIdentifier } from '../words/split-identifier.ts'
import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { parseRawWord, rawWords, type Word } from '../words/words.ts'
import { enlarge } from './enlarge.ts'
import type { FieldedWeights, FieldWeight } from './fielded-weights.ts'
import type { IndexedTool } from './index-scheme.ts'
import type { Field } from './ranker.ts'
import type { TermTable } from './term-table.ts'
import { createTermWeights } from './term-weights.ts'
import { localName, toolFields } from './tool-fields.ts'

/** Reads tools for the fielded ranker. What it found out about a word, it reuses for other tools. */
export interface FieldedReader {
  /** Valid until the next call. */
  readTool(tool: Tool): IndexedTool
  keysOf(tool: Tool): readonly (readonly string[])[]
  /** For each field, its terms and the weight of one occurrence. */
  fieldsOf(tool: Tool): readonly FieldTerms[]
  /** The term of a word that is one term, if a tool contains the word. */
  knownTerm(raw: string): string | undefined
  /** Call it before numbers of terms change their meaning. */
  forgetTerms(): void
}

export interface FieldTerms {
  readonly field: Field
  readonly terms: readonly string[]
  readonly each: number
}

/** The one term of a plain word, or the list of terms of a stop word or a compound word. */
type WordTerms = number | readonly number[]

const LOWER_CASE = /^[a-z]+$/
const MAX_WORDS = 50_000
const MAX_WORD_LENGTH = 40

export function createFieldedReader(
  { fields }: FieldedWeights,
  termTable: TermTable,
): FieldedReader {
  const document = createTermWeights()
  // The same few thousand words make up any catalogue.
  const words = new Map<string, WordTerms>()
  const nameTerms = new Map<string, readonly number[]>()
  const keyParts = new Map<string, readonly string[]>()
  /** The terms of the field that was read last. */
  let terms = new Int32Array(256)

  return {
    readTool(tool) {
      if (Math.max(words.size, keyParts.size) > MAX_WORDS) forgetTerms()
      document.clear()
      for (const { kind, text, omitted = 0 } of toolFields(tool)) {
        const count = readTerms(text)
        const each = termWeight(fields[kind], count + omitted)
        for (let at = 0; at < count; at++) document.add(terms[at]!, each)
      }
      const local = localName(tool)
      const { size, key } = readName(local)
      const keys = local === tool.name ? [key] : [readKey(tool.name), key]
      return { postings: document, length: 0, nameSize: size, keys: keys.filter(isNotEmpty) }
    },
    keysOf(tool) {
      const local = localName(tool)
      const names = local === tool.name ? [local] : [tool.name, local]
      return names.map(readKey).filter(isNotEmpty)
    },
    fieldsOf: (tool) =>
      toolFields(tool).map(({ field, kind, text, omitted = 0 }) => {
        const count = readTerms(text)
        return {
          field,
          terms: Array.from(terms.subarray(0, count), termTable.termOf),
          each: termWeight(fields[kind], count + omitted),
        }
      }),
    knownTerm(raw) {
      const known = words.get(raw)
      return typeof known === 'number' ? termTable.termOf(known) : undefined
    },
    forgetTerms,
  }

  function forgetTerms(): void {
    words.clear()
    nameTerms.clear()
    keyParts.clear()
  }

  /** Reads the terms of a text into `terms` and returns how many there are. */
  function readTerms(text: string): number {
    let count = 0
    for (const raw of rawWords(text)) {
      const found = words.get(raw) ?? readWord(raw)
      const needed = count + (typeof found === 'number' ? 1 : found.length)
      if (needed > terms.length) terms = enlarge(terms, new Int32Array(2 * needed))
      if (typeof found === 'number') terms[count++] = found
      else for (const term of found) terms[count++] = term
    }
    return count
  }

  function readWord(raw: string): WordTerms {
    const word = ownCopy(raw)
    const parsed = parseRawWord(word)
    const found = termsOf(parsed).map(termTable.numberOf)
    const isPlain = parsed.length === 1 && parsed[0]!.pieces.length === 0
    const terms = isPlain && found.length === 1 ? found[0]! : found
    if (word.length <= MAX_WORD_LENGTH) words.set(word, terms)
    return terms
  }

  /** Marks the terms of the name in the document and counts them. */
  function readName(name: string): { size: number; key: readonly string[] } {
    let size = 0
    const key: string[] = []
    for (const raw of rawWords(name)) {
      const term = plainTerm(raw)
      if (term !== undefined) {
        if (document.markAsName(term)) size++
        key.push(termTable.termOf(term))
        continue
      }
      for (const term of termsInName(raw)) if (document.markAsName(term)) size++
      key.push(...knownKeyParts(raw))
    }
    return { size, key }
  }

  function readKey(name: string): readonly string[] {
    const key: string[] = []
    for (const raw of rawWords(name)) {
      const term = plainTerm(raw)
      if (term !== undefined) key.push(termTable.termOf(term))
      else key.push(...knownKeyParts(raw))
    }
    return key
  }

  /** The term of a word that is also the whole key of the word, if it is known. */
  function plainTerm(raw: string): number | undefined {
    const known = words.get(raw)
    return typeof known === 'number' && LOWER_CASE.test(raw) ? known : undefined
  }

  function termsInName(raw: string): readonly number[] {
    const known = nameTerms.get(raw)
    if (known) return known
    const terms = nameTermsOf(raw).map(termTable.numberOf)
    if (raw.length <= MAX_WORD_LENGTH) nameTerms.set(ownCopy(raw), terms)
    return terms
  }

  // Without the terms: those of a server's prefix are not indexed, so they must not get numbers.
  function knownKeyParts(raw: string): readonly string[] {
    const known = keyParts.get(raw)
    if (known) return known
    const parts = keyPartsOf(raw)
    if (raw.length <= MAX_WORD_LENGTH) keyParts.set(ownCopy(raw), parts)
    return parts
  }
}

/** V8 represents a longer substring as a slice, which keeps the whole text in memory. */
function ownCopy(word: string): string {
  return word.length > 12 ? [...word].join('') : word
}

function isNotEmpty(list: readonly string[]): boolean {
  return list.length > 0
}

/** The terms of a word in a name: those of its pieces, if it is a compound word. */
function nameTermsOf(raw: string): string[] {
  const words = parseRawWord(raw).flatMap(({ whole, pieces }) =>
    pieces.length > 0 ? pieces : [whole],
  )
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem)
}

/** `getUser`, `get_user` and `get users` have the same key. */
export function keyPartsOf(raw: string): string[] {
  return splitIdentifier(raw).map((piece) => stem(piece.toLowerCase()))
}

/** The terms of a word, without stop words: those of a compound word and of its pieces. */
function termsOf(words: readonly Word[]): string[] {
  const terms: string[] = []
  for (const { whole, pieces } of words) {
    if (!STOP_WORDS.has(whole)) terms.push(stem(whole))
    for (const piece of pieces) if (!STOP_WORDS.has(piece)) terms.push(stem(piece))
  }
  return terms
}

/**
 * The weight of one occurrence of a term in a field of this length. From `FULL` times the typical length
 * on, all terms of a field share a fixed weight, so that nobody gains by adding more.
 */
function termWeight({ weight, typicalLength, b }: FieldWeight, length: number): number {
  const share = Math.min(1, (FULL * typicalLength) / length)
  return (weight * share) / (1 - b + (b * length) / typicalLength)
}

const FULL = 2
