import { rawWords } from './words.ts'

/**
 * Numbers the different words of the texts it reads. A text consists of words that occurred before,
 * so whoever keeps what it knows about a word under the word's number works out little per text.
 */
export interface WordTable {
  /** Reads the words of a text into `numbers` and returns how many there are. */
  read(text: string): number
  /** The words of the last text. The next `read` overwrites them. */
  numbers(): Int32Array
  /** The number of a word; -1 if no text contained it. */
  find(word: string): number
  word(number: number): string
  /** Whether the table is so large that it is better to clear it than to keep it. */
  isFull(): boolean
  /** Forgets all words, so that their numbers are given to others. */
  clear(): void
}

const MAX_WORDS = 50_000
const MAX_CHARACTERS = 1_000_000
/** V8 represents a longer substring as a slice, which would keep the whole text in memory. */
const LONGEST_COPY = 12

// Unpredictable, so that nobody can write a description whose words all have the same hash.
const SEED = Math.floor(Math.random() * 2 ** 32) | 0

/** 1 for the ASCII letters and digits. */
const IN_WORD = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  if (/[A-Za-z0-9]/.test(String.fromCharCode(code))) IN_WORD[code] = 1
}

export function createWordTable(): WordTable {
  let words: string[] = []
  let characters = 0
  /** By number. */
  let hashes = new Int32Array(128)
  /** A hash table with linear probing: the number of a word + 1, or 0. At most half full. */
  let places = new Int32Array(256)
  let numbers = new Int32Array(64)

  return {
    read(text) {
      let count = 0
      let at = 0
      const { length } = text
      while (at < length) {
        let code = text.charCodeAt(at)
        if (code > 127) return readUnicode(text)
        if (IN_WORD[code] === 0) {
          at++
          continue
        }
        // Most words are known, and finding those here saves creating a string for each.
        const from = at
        let hash = SEED
        do {
          hash = Math.imul(hash ^ code, 0x9e3779b1)
          hash ^= hash >>> 15
          at++
          code = at < length ? text.charCodeAt(at) : 0
        } while (code < 128 && IN_WORD[code] === 1)
        if (code > 127) return readUnicode(text)
        if (count === numbers.length) numbers = enlarge(numbers)
        numbers[count++] = numberOf(text, from, at, hash)
      }
      return count
    },
    numbers: () => numbers,
    find: (word) => places[placeOf(word, 0, word.length, hashOf(word))]! - 1,
    word: (number) => words[number]!,
    isFull: () => words.length >= MAX_WORDS || characters >= MAX_CHARACTERS,
    clear() {
      words = []
      characters = 0
      hashes = new Int32Array(128)
      places = new Int32Array(256)
    },
  }

  function readUnicode(text: string): number {
    let count = 0
    for (const word of rawWords(text)) {
      if (count === numbers.length) numbers = enlarge(numbers)
      numbers[count++] = numberOf(word, 0, word.length, hashOf(word))
    }
    return count
  }

  function numberOf(text: string, from: number, to: number, hash: number): number {
    const place = placeOf(text, from, to, hash)
    const known = places[place]! - 1
    if (known >= 0) return known
    const word = text.slice(from, to)
    const number = words.push(word.length > LONGEST_COPY ? [...word].join('') : word) - 1
    characters += word.length
    if (number === hashes.length) {
      hashes = enlarge(hashes)
      hashes[number] = hash
      rehash()
    } else {
      hashes[number] = hash
      places[place] = number + 1
    }
    return number
  }

  /** Where the word is in `places`, or where to put it. */
  function placeOf(text: string, from: number, to: number, hash: number): number {
    const mask = places.length - 1
    let place = hash & mask
    for (;;) {
      const number = places[place]! - 1
      if (number < 0) return place
      if (hashes[number] === hash && isWord(words[number]!, text, from, to)) return place
      place = (place + 1) & mask
    }
  }

  function rehash(): void {
    places = new Int32Array(2 * hashes.length)
    const mask = places.length - 1
    for (let number = 0; number < words.length; number++) {
      let place = hashes[number]! & mask
      while (places[place] !== 0) place = (place + 1) & mask
      places[place] = number + 1
    }
  }
}

function isWord(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at++) {
    if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  }
  return true
}

function hashOf(word: string): number {
  let hash = SEED
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
}

function enlarge(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * numbers.length)
  longer.set(numbers)
  return longer
}
