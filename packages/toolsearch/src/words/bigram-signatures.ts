import { countBits } from './count-bits.ts'

/**
 * Summaries of many texts: for each, a set of 128 bits with one bit per bigram, followed by the number
 * of bigrams. Comparing summaries is much faster than comparing texts.
 */
export type BigramSignatures = Uint32Array

const WORDS = 4
const FIELDS = WORDS + 1

export function bigramSignatures(texts: readonly string[]): BigramSignatures {
  const signatures = new Uint32Array(texts.length * FIELDS)
  for (let at = 0; at < texts.length; at++) write(texts[at]!, signatures, at * FIELDS)
  return signatures
}

/**
 * Returns a check for the text at an index: false only if its Dice's coefficient with `text` is below
 * `min`. Rules out most texts that do not resemble `text`.
 */
export function resemblanceFilter(
  text: string,
  min: number,
  signatures: BigramSignatures,
): (index: number) => boolean {
  const [a = 0, b = 0, c = 0, d = 0, size = 0] = bigramSignatures([text])
  // bigrams that share their bit with another one
  const hidden =
    Math.max(text.length - 1, 0) - countBits(a) - countBits(b) - countBits(c) - countBits(d)
  return (index) => {
    const at = index * FIELDS
    const common =
      hidden +
      countBits(a & signatures[at]!) +
      countBits(b & signatures[at + 1]!) +
      countBits(c & signatures[at + 2]!) +
      countBits(d & signatures[at + 3]!)
    return 2 * common >= min * (size + signatures[at + WORDS]!)
  }
}

function write(text: string, signatures: BigramSignatures, start: number): void {
  let pairs = 0
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const bit = Math.imul(text.charCodeAt(at - 1) * 31 + code, 0x9e3779b1) >>> 25
    signatures[start + (bit >> 5)]! |= 1 << (bit & 31)
    if (code >= 0xdc00 && code <= 0xdfff) pairs++
  }
  // a surrogate pair is one character
  signatures[start + WORDS] = Math.max(text.length - 1 - pairs, 0)
}
