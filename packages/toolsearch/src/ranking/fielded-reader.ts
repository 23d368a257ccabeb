import type { Tool } from '../catalogue/tool.ts'
import { splitIdentifier } from '../words/split-identifier.ts'
import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { createWordTable } from '../words/word-table.ts'
import { parseRawWord, type Word } from '../words/words.ts'
import type { FieldedWeights, FieldWeight } from './fielded-weights.ts'
import type { IndexedTool } from './index-ranker.ts'
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

/** The terms of a word in a name. */
interface NameWord {
  readonly terms: readonly number[]
  readonly keyParts: readonly string[]
}

// A word that is not one term: not read yet, or several terms, or none.
const UNREAD = -1
const SEVERAL = -2

export function createFieldedReader(
  { fields }: FieldedWeights,
  termTable: TermTable,
): FieldedReader {
  const words = createWordTable()
  const document = createTermWeights()
  /** By the number of a word: its only term, or why there is none. */
  let onlyTerms = new Int32Array(256).fill(UNREAD)
  const severalTerms = new Map<number, readonly number[]>()
  const nameWords = new Map<number, NameWord>()
  /** The terms of the field that was read last. */
  let terms = new Int32Array(256)

  return {
    readTool(tool) {
      if (words.isFull()) forgetTerms()
      document.clear()
      for (const { kind, text } of toolFields(tool)) {
        const count = readTerms(text)
        const each = termWeight(fields[kind], count)
        for (let at = 0; at < count; at++) document.add(terms[at]!, each)
      }
      const local = localName(tool)
      const { size, key } = readName(local)
      const keys = local === tool.name ? [key] : [readKey(tool.name), key]
      return {
        postings: document,
        length: 0,
        nameSize: size,
        keys: keys.filter((key) => key.length > 0),
      }
    },
    keysOf(tool) {
      const local = localName(tool)
      const names = local === tool.name ? [local] : [tool.name, local]
      return names.map(readKey).filter((key) => key.length > 0)
    },
    fieldsOf: (tool) =>
      toolFields(tool).map(({ field, kind, text }) => {
        const count = readTerms(text)
        return {
          field,
          terms: Array.from(terms.subarray(0, count), termTable.termOf),
          each: termWeight(fields[kind], count),
        }
      }),
    knownTerm(raw) {
      const term = onlyTerms[words.find(raw)] ?? UNREAD
      return term >= 0 ? termTable.termOf(term) : undefined
    },
    forgetTerms,
  }

  function forgetTerms(): void {
    words.clear()
    onlyTerms = new Int32Array(256).fill(UNREAD)
    severalTerms.clear()
    nameWords.clear()
  }

  /** Reads the terms of a text into `terms` and returns how many there are. */
  function readTerms(text: string): number {
    const wordCount = words.read(text)
    const numbers = words.numbers()
    let count = 0
    for (let at = 0; at < wordCount; at++) {
      const word = numbers[at]!
      let term = onlyTerms[word] ?? UNREAD
      if (term === UNREAD) term = readWord(word)
      const several = term === SEVERAL ? severalTerms.get(word)! : undefined
      const needed = count + (several ? several.length : 1)
      if (needed > terms.length) terms = enlarge(terms, 2 * needed, 0)
      if (several) for (const one of several) terms[count++] = one
      else terms[count++] = term
    }
    return count
  }

  function readWord(word: number): number {
    const parsed = parseRawWord(words.word(word))
    const found = termsOf(parsed)
    if (word >= onlyTerms.length) onlyTerms = enlarge(onlyTerms, 2 * word, UNREAD)
    if (found.length === 1 && isPlain(parsed)) {
      onlyTerms[word] = termTable.numberOf(found[0]!)
    } else {
      onlyTerms[word] = SEVERAL
      severalTerms.set(word, found.map(termTable.numberOf))
    }
    return onlyTerms[word]!
  }

  /** Marks the terms of the name in the document and counts them. */
  function readName(name: string): { size: number; key: readonly string[] } {
    let size = 0
    const key: string[] = []
    for (const { terms, keyParts } of readNameWords(name)) {
      for (const term of terms) if (document.markAsName(term)) size++
      key.push(...keyParts)
    }
    return { size, key }
  }

  function readKey(name: string): readonly string[] {
    return readNameWords(name).flatMap(({ keyParts }) => keyParts)
  }

  function readNameWords(name: string): NameWord[] {
    const count = words.read(name)
    const numbers = words.numbers()
    const read: NameWord[] = []
    for (let at = 0; at < count; at++) {
      const number = numbers[at]!
      let word = nameWords.get(number)
      if (word === undefined) {
        word = readNameWord(words.word(number), termTable)
        nameWords.set(number, word)
      }
      read.push(word)
    }
    return read
  }
}

function readNameWord(raw: string, termTable: TermTable): NameWord {
  const words = parseRawWord(raw).flatMap(({ whole, pieces }) =>
    pieces.length > 0 ? pieces : [whole],
  )
  const terms = words.filter((word) => !STOP_WORDS.has(word)).map(stem)
  return { terms: terms.map(termTable.numberOf), keyParts: keyPartsOf(raw) }
}

/** `getUser`, `get_user` and `get users` have the same key. */
export function keyPartsOf(raw: string): string[] {
  return splitIdentifier(raw).map((piece) => stem(piece.toLowerCase()))
}

/** Whether this is one word that is not composed of others. */
export function isPlain(words: readonly Word[]): boolean {
  return words.length === 1 && words[0]!.pieces.length === 0
}

/** The terms of a word, without stop words: those of a compound word and of its pieces. */
export function termsOf(words: readonly Word[]): string[] {
  const terms: string[] = []
  for (const { whole, pieces } of words) {
    if (!STOP_WORDS.has(whole)) terms.push(stem(whole))
    for (const piece of pieces) if (!STOP_WORDS.has(piece)) terms.push(stem(piece))
  }
  return terms
}

/** The weight of one occurrence of a term in a field of this length. */
function termWeight({ weight, typicalLength, b }: FieldWeight, length: number): number {
  return weight / (1 - b + (b * length) / typicalLength)
}

function enlarge(numbers: Int32Array, size: number, fill: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(size).fill(fill)
  longer.set(numbers)
  return longer
}
