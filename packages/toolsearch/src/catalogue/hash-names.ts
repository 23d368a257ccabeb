import { hashTwice, toHex } from './hash-text.ts'

/**
 * A digest of a set of names, whatever their order. Adding hashes up is much faster than sorting
 * 100,000 names. Not cryptographic.
 */
export function hashNames(names: readonly string[]): string {
  let first = names.length
  let second = 0
  for (const name of names) {
    const [a, b] = hashTwice(name)
    // mixed, because sums of similar FNV hashes collide easily
    first = (first + Math.imul(a ^ (a >>> 15), 0x2c1b3c6d)) | 0
    second = (second + Math.imul(b ^ (b >>> 13), 0x297a2d39)) | 0
  }
  return toHex([first, second])
}
