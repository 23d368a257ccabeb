/** A text's two-character pieces, kept so that many others can be compared with it. */
export interface BigramProfile {
  /** Dice's coefficient, 0 to 1: twice the pieces in common over the pieces of both. */
  dice(other: string): number
}

/** Pieces are counted as often as they occur; a text of one character has none. */
export function createBigramProfile(text: string): BigramProfile {
  const index = new Map<number, number>()
  const available: number[] = []
  const size = Math.max(text.length - 1, 0)
  for (let i = 0; i < size; i++) {
    const piece = text.charCodeAt(i) * 0x10000 + text.charCodeAt(i + 1)
    const at = index.get(piece)
    if (at === undefined) index.set(piece, available.push(1) - 1)
    else available[at]!++
  }
  const left = new Int32Array(available.length)

  return {
    dice(other) {
      const otherSize = Math.max(other.length - 1, 0)
      if (size === 0 || otherSize === 0) return 0
      left.set(available)
      let common = 0
      for (let i = 0; i < otherSize; i++) {
        const at = index.get(other.charCodeAt(i) * 0x10000 + other.charCodeAt(i + 1))
        if (at !== undefined && left[at]! > 0) {
          left[at]!--
          common++
        }
      }
      return (2 * common) / (size + otherSize)
    },
  }
}
