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

/**
 * Splits an identifier into words. Acronyms stay whole, including plural ones.
 *
 * @example
 * splitIdentifier('getHTTPServerURL') // ['get', 'HTTP', 'Server', 'URL']
 * splitIdentifier('s3Bucket') // ['s', '3', 'Bucket']
 */
export function splitIdentifier(name: string): string[] {
  return name.match(PIECES) ?? []
}
