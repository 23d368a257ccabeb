const PIECES = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu

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
