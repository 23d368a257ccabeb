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
 * The words inside one written-together name. Acronyms stay whole, plural or not.
 *
 * @example
 * splitIdentifier('getHTTPServerURL') // ['get', 'HTTP', 'Server', 'URL']
 * splitIdentifier('s3Bucket') // ['s', '3', 'Bucket']
 */
export function splitIdentifier(name: string): string[] {
  return name.match(PIECES) ?? []
}
