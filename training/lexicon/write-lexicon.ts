import {
  checksum,
  type LexiconData,
} from '../../packages/toolsearch/src/languages/lexicon-format.ts'

const MAGIC = 0x584c_5354 // "TSLX" in little-endian
const VERSION = 1
const HEADER_BYTES = 28

/** The inverse of `readLexicon`. */
export function writeLexicon({ languages, words, entries, evidence }: LexiconData): Uint8Array {
  const encoder = new TextEncoder()
  const texts = [languages, words].map((lines) => encoder.encode(lines.join('\n')))
  const [languageBytes, wordBytes] = texts as [Uint8Array, Uint8Array]
  const counts = [entries.hashes.length, evidence.hashes.length]
  const textLength = languageBytes.length + wordBytes.length
  const bytes = new Uint8Array(HEADER_BYTES + textLength + 6 * (counts[0]! + counts[1]!))
  const view = new DataView(bytes.buffer)
  const header = [MAGIC, VERSION, 0, languageBytes.length, wordBytes.length, ...counts]
  header.forEach((value, at) => {
    view.setUint32(4 * at, value, true)
  })
  bytes.set(languageBytes, HEADER_BYTES)
  bytes.set(wordBytes, HEADER_BYTES + languageBytes.length)
  let at = HEADER_BYTES + textLength
  for (const { hashes, values } of [entries, evidence]) {
    for (const hash of hashes) {
      view.setUint32(at, hash, true)
      at += 4
    }
    for (const value of values) {
      view.setUint16(at, value, true)
      at += 2
    }
  }
  view.setUint32(8, checksum(bytes), true)
  return bytes
}
