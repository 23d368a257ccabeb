/** A digest of a text as 16 hexadecimal digits. Not cryptographic. */
export function hashText(text: string): string {
  return toHex(hashTwice(text))
}

/** FNV-1a over UTF-16 code units, run twice with different seeds: two times 32 bits. */
export function hashTwice(text: string): [first: number, second: number] {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x85ebca6b)
  }
  return [first, second]
}

export function toHex(hashes: readonly number[]): string {
  return hashes.map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('')
}
