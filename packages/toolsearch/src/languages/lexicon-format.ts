import { LexiconError } from './lexicon-error.ts'

/** The contents of a lexicon file. */
export interface LexiconData {
  /** Codes of the languages whose words `evidence` knows. The first one is English. */
  readonly languages: readonly string[]
  /** English words. The first one is empty: a foreign word that has no English counterpart. */
  readonly words: readonly string[]
  /** The hash of a foreign word, stem or run of characters, and the index of its English word. */
  readonly entries: HashTable
  /** The hash of a word, and how typical the word is of a language: see `evidenceOf`. */
  readonly evidence: HashTable
}

/** Hashes in ascending order. A hash can occur several times. */
export interface HashTable {
  readonly hashes: Uint32Array
  readonly values: Uint16Array
}

const MAGIC = 0x584c_5354 // "TSLX", read as little-endian
const VERSION = 1
const HEADER_BYTES = 28

/**
 * Reads a lexicon file. All numbers are little-endian:
 *
 * ```text
 *  0  4 bytes  "TSLX"
 *  4  uint32   version, 1
 *  8  uint32   checksum of everything after it
 * 12  uint32   length of the language codes in bytes
 * 16  uint32   length of the English words in bytes
 * 20  uint32   number of entries
 * 24  uint32   number of words with evidence
 * 28  language codes joined by "\n", UTF-8
 *     English words joined by "\n", UTF-8
 *     entries,  count × uint32 hashes, then count × uint16 values
 *     evidence, count × uint32 hashes, then count × uint16 values
 * ```
 *
 * @throws LexiconError if the bytes are not in this format, cut or changed
 */
export function readLexicon(bytes: Uint8Array): LexiconData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new LexiconError('it does not start with "TSLX", so this is not a lexicon.')
  }
  const version = view.getUint32(4, true)
  if (version !== VERSION) {
    throw new LexiconError(`format version ${version} is not supported, only version ${VERSION}.`)
  }
  const languagesAt = HEADER_BYTES
  const wordsAt = languagesAt + view.getUint32(12, true)
  const entriesAt = wordsAt + view.getUint32(16, true)
  const evidenceAt = entriesAt + 6 * view.getUint32(20, true)
  const end = evidenceAt + 6 * view.getUint32(24, true)
  if (end !== bytes.length) {
    throw new LexiconError(`the header specifies ${end} bytes, but the file has ${bytes.length}.`)
  }
  if (checksum(bytes) !== view.getUint32(8, true)) {
    throw new LexiconError('its checksum does not match, so the file is damaged.')
  }
  const words = textLines(bytes.subarray(wordsAt, entriesAt))
  const entries = readTable(view, entriesAt, view.getUint32(20, true))
  if (entries.values.some((word) => word >= words.length)) {
    throw new LexiconError('an entry refers to a word that does not exist.')
  }
  return {
    languages: textLines(bytes.subarray(languagesAt, wordsAt)),
    words,
    entries,
    evidence: readTable(view, evidenceAt, view.getUint32(24, true)),
  }
}

function readTable(view: DataView, from: number, count: number): HashTable {
  const hashes = new Uint32Array(count)
  const values = new Uint16Array(count)
  for (let at = 0; at < count; at++) {
    hashes[at] = view.getUint32(from + 4 * at, true)
    values[at] = view.getUint16(from + 4 * count + 2 * at, true)
  }
  return { hashes, values }
}

function textLines(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split('\n')
}

/** Of everything after the checksum itself. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let at = 12; at < bytes.length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash >>> 0
}
