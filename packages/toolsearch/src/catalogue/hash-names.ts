/**
 * A digest of a set of names, whatever their order. Adding hashes up is much faster than sorting
 * 100,000 names. Not cryptographic.
 */
export function hashNames(names: readonly string[]): string {
  let first = names.length
  let second = 0
  for (const name of names) {
    let a = 0x811c9dc5
    let b = 0x01000193
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x01000193)
      b = Math.imul(b ^ unit, 0x85ebca6b)
    }
    // mixed, because sums of similar FNV hashes collide easily
    first = (first + Math.imul(a ^ (a >>> 15), 0x2c1b3c6d)) | 0
    second = (second + Math.imul(b ^ (b >>> 13), 0x297a2d39)) | 0
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
