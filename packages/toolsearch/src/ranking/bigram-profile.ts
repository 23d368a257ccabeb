/** A text's two-character pieces, kept so that many others can be compared with it. */
export interface BigramProfile {
  /** Dice's coefficient, 0 to 1: twice the pieces in common over the pieces of both. */
  dice(other: string): number
}

/** Pieces are counted as often as they occur; a text of one character has none. */
export function createBigramProfile(text: string): BigramProfile {
  const index = new Map<number, number>()
  const available: number[] = []
  let size = 0
  for (const piece of piecesOf(text)) {
    const at = index.get(piece)
    if (at === undefined) index.set(piece, available.push(1) - 1)
    else available[at]!++
    size++
  }
  const left = new Int32Array(available.length)

  return {
    dice(other) {
      left.set(available)
      let otherSize = 0
      let common = 0
      for (const piece of piecesOf(other)) {
        otherSize++
        const at = index.get(piece)
        if (at !== undefined && left[at]! > 0) {
          left[at]!--
          common++
        }
      }
      return size === 0 || otherSize === 0 ? 0 : (2 * common) / (size + otherSize)
    },
  }
}

/** Each pair of neighbouring characters as one number. */
function* piecesOf(text: string): Generator<number> {
  let before = -1
  for (let at = 0; at < text.length; at++) {
    const character = text.codePointAt(at)!
    if (character > 0xffff) at++
    if (before >= 0) yield before * 0x110000 + character
    before = character
  }
}
