const UPPER = '(?:[\\p{Lu}\\p{Lt}]\\p{M}*)'
const PIECES = new RegExp(
  [
    `${UPPER}{2,}s(?![\\p{Ll}\\p{M}])`,
    `${UPPER}+(?![\\p{Ll}\\p{M}])`,
    `${UPPER}?[\\p{Ll}\\p{Lo}\\p{Lm}\\p{M}]+`,
    '\\p{N}+',
  ].join('|'),
  'gu',
)

// The same for ASCII, which takes a third of the time.
const NOT_ASCII = /[^\0-\x7f]/
const ASCII_PIECES = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/**
 * Splits an identifier into words. Acronyms stay whole, including plural ones.
 *
 * @example
 * splitIdentifier('getHTTPServerURL') // ['get', 'HTTP', 'Server', 'URL']
 * splitIdentifier('s3Bucket') // ['s', '3', 'Bucket']
 */
export function splitIdentifier(name: string): string[] {
  return name.match(NOT_ASCII.test(name) ? PIECES : ASCII_PIECES) ?? []
}
