/**
 * The known key that a mistyped key most likely stands for, if any is close enough. Ignores case, and
 * counts two swapped neighbouring letters as one mistake.
 */
export function closestKey(key: string, known: Iterable<string>): string | undefined {
  if (key.length > LONGEST) return undefined
  const wanted = key.toLowerCase()
  let closest: string | undefined
  let fewest = Math.max(1, Math.floor(key.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - key.length) >= fewest) continue
    const mistakes = countMistakes(wanted, candidate.toLowerCase())
    if (mistakes >= fewest) continue
    fewest = mistakes
    closest = candidate
  }
  return closest
}

// longer keys are rarely typos, and the comparison takes quadratic time
const LONGEST = 64

function countMistakes(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        row > 1 && column > 1 && swapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}
