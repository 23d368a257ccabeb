const FILLERS = new Set(
  'a an and at by find for from get how i in is it me my need of on or please some that the this to tool tools use with'.split(
    ' ',
  ),
)

/**
 * Whether two queries ask for the same in about the same words, given the words of both: most of
 * them are in both.
 *
 * @example
 * isNearlySame(wordsOf('send email'), wordsOf('send emails to Ada')) // true
 * isNearlySame(wordsOf('send email'), wordsOf('Send an e-mail to Ada')) // false: "e-mail" is two words
 */
export function isNearlySame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / (one.size + other.size - shared) > 0.5
}

/** What a query is about; never empty, so that one without words is like itself. */
export function wordsOf(query: string): ReadonlySet<string> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [query.trim()]
  const telling = words.filter((word) => !FILLERS.has(word))
  return new Set((telling.length > 0 ? telling : words).map(singular))
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}
