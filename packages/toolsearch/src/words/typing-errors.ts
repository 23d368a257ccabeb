/**
 * Counts wrong, missing, extra and transposed letters. Stops counting beyond `max`.
 *
 * @example
 * typingErrors('calender', 'calendar', 2) // 1
 */
export function typingErrors(a: string, b: string, max: number): number {
  // Skip the common prefix and suffix.
  let start = 0
  let endA = a.length
  let endB = b.length
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const sizeA = endA - start
  const sizeB = endB - start
  if (Math.abs(sizeA - sizeB) > max) return max + 1
  if (sizeA === 0 || sizeB === 0) return sizeA + sizeB
  // After that, a single error leaves one letter, or two transposed letters.
  if (max === 1 && sizeA > 2) return 2
  if (sizeB >= rows[0].length) return max + 1
  let [beforeLast, last, row] = rows
  for (let j = 0; j <= sizeB; j++) last[j] = j
  for (let i = 1; i <= sizeA; i++) {
    const own = a.charCodeAt(start + i - 1)
    // Cells further from the diagonal have more errors than allowed.
    const from = Math.max(1, i - max)
    const to = Math.min(sizeB, i + max)
    row[from - 1] = from === 1 ? i : max + 1
    let best = row[from - 1]!
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(start + j - 1)
      let errors = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (own === other ? 0 : 1))
      if (i > 1 && j > 1 && own === b.charCodeAt(start + j - 2)) {
        if (other === a.charCodeAt(start + i - 2)) errors = Math.min(errors, beforeLast[j - 2]! + 1)
      }
      row[j] = errors
      best = Math.min(best, errors)
    }
    if (to < sizeB) row[to + 1] = max + 1
    if (best > max) return max + 1
    const free = beforeLast
    beforeLast = last
    last = row
    row = free
  }
  return Math.min(last[sizeB]!, max + 1)
}

type Rows = [Uint8Array, Uint8Array, Uint8Array]
const rows: Rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)]
