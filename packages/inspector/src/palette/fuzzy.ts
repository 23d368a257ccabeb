/**
 * How well a text matches what was typed: higher is better, `undefined` if a letter is missing. The
 * letters must occur in order. Beginnings of words and runs of letters count more.
 *
 * @example
 * fuzzyScore('refpay', 'payments__refund_payment') // a number
 * fuzzyScore('xyz', 'refund_payment') // undefined
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const letters = typed.toLowerCase().replace(/\s+/g, '')
  if (letters === '') return 0
  const lower = text.toLowerCase()
  const whole = lower.indexOf(typed.trim().toLowerCase())
  if (whole >= 0 && isWordStart(lower, whole)) return 1000 - whole - text.length / 100
  let score = 0
  let at = -1
  for (const letter of letters) {
    const next = bestPlace(lower, letter, at + 1)
    if (next < 0) return undefined
    score += next === at + 1 ? 6 : isWordStart(lower, next) ? 8 : 1
    at = next
  }
  return score - text.length / 100
}

/** The next beginning of a word with this letter if it follows soon, otherwise the next place. */
function bestPlace(text: string, letter: string, from: number): number {
  const first = text.indexOf(letter, from)
  if (first < 0 || first === from) return first
  for (let at = first; at >= 0; at = text.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at
  return first
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)
}
