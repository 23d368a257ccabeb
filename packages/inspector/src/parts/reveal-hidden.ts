/** Control, direction, tag and zero-width characters, except the joiners of emoji and some scripts. */
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/**
 * Makes invisible characters visible: a model reads them, but a person would not see them.
 *
 * @example
 * revealHidden('safe\u202e') // 'safe[U+202E]'
 */
export function revealHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase()
    return `[U+${code.padStart(4, '0')}]`
  })
}
