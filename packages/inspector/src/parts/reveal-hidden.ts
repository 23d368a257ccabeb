/** Controls, directions, tags and what has no width; not the joints of emoji and of some scripts. */
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/**
 * A text with all that is in it: a model reads what a person cannot see, or sees in another order.
 *
 * @example
 * revealHidden('safe\u202e') // 'safe[U+202E]'
 */
export function revealHidden(text: string): string {
  return text.replace(HIDDEN, (sign) => {
    const code = sign.codePointAt(0)!.toString(16).toUpperCase()
    return `[U+${code.padStart(4, '0')}]`
  })
}
