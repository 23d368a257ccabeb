const STOP_WORDS = new Set(
  'a an and at by find for from get how i in is it me my need of on or please some that the this to tool tools use with'.split(
    ' ',
  ),
)

/**
 * Whether two queries ask for the same thing in similar words: they share more than half of their
 * words.
 *
 * @example
 * areSimilar(queryWords('send email'), queryWords('send emails to Ada')) // true
 * areSimilar(queryWords('send email'), queryWords('Send an e-mail to Ada')) // false: "e-mail" is two words
 */
export function areSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / (a.size + b.size - shared) > 0.5
}

/** The significant words of a query. Never empty, so that every query is similar to itself. */
export function queryWords(query: string): ReadonlySet<string> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [query.trim()]
  const significant = words.filter((word) => !STOP_WORDS.has(word))
  return new Set((significant.length > 0 ? significant : words).map(singular))
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}
