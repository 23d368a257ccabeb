const FILLERS = new Set(
  'a an and at by find for from get how i in is it me my need of on or please some that the this to tool tools use with'.split(
    ' ',
  ),
)

/**
 * Whether two queries ask for the same in about the same words: most words of both are in both.
 *
 * @example
 * isNearlySame('send email', 'Send an e-mail to Ada') // false: "e-mail" is two other words
 * isNearlySame('send email', 'send emails to Ada') // true
 */
export function isNearlySame(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  if (first.size === 0 || second.size === 0) return one.trim() === other.trim()
  const shared = [...first].filter((word) => second.has(word)).length
  return shared / (first.size + second.size - shared) > 0.5
}

function wordsOf(query: string): Set<string> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !FILLERS.has(word))
  return new Set((telling.length > 0 ? telling : words).map(singular))
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}
