const NOT_ASCII = /[^\0-\x7f]/
const GAPS = /[^\p{L}\p{M}\p{N}]+/gu
const DIGIT = /\p{N}/u
const LOW_LINE = 95

/**
 * What all spellings of a name have in common: its letters and digits in lower case. A gap counts
 * only between two digits, because `v1.1` and `v11` are not the same.
 *
 * @example
 * nameKey('Search-Graph') === nameKey('searchGraph') // 'searchgraph'
 */
export function nameKey(name: string): string {
  const plain = (NOT_ASCII.test(name) ? name.normalize('NFKC') : name).toLowerCase()
  return plain.replace(GAPS, (gap, at: number) =>
    DIGIT.test(plain.charAt(at - 1)) && DIGIT.test(plain.charAt(at + gap.length)) ? '_' : '',
  )
}

/** A hash of the key of `name` from the position `from` on. Does not build the key of ASCII names. */
export function hashNameKey(name: string, from = 0): number {
  let hash = 0
  let before = 0
  let isGap = false
  for (let at = from; at < name.length; at++) {
    const unit = name.charCodeAt(at)
    if (unit > 0x7f) return hashUnits(nameKey(name.slice(from)))
    const isUpper = unit >= 65 && unit <= 90
    if (!isUpper && !isDigit(unit) && !(unit >= 97 && unit <= 122)) {
      isGap = true
      continue
    }
    if (isGap && isDigit(before) && isDigit(unit)) hash = mix(hash, LOW_LINE)
    before = isUpper ? unit + 32 : unit
    hash = mix(hash, before)
    isGap = false
  }
  return hash
}

function hashUnits(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = mix(hash, key.charCodeAt(at))
  return hash
}

function mix(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}
