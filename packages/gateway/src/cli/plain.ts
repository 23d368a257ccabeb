// Control characters (C0, C1), line separators, and invisible characters that reorder or hide text.
const INVISIBLE =
  /\p{Cc}|\p{Cf}|[\u115f\u1160\u2028\u2029\u3164\uffa0]|[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu
const CONTROL = /\p{Cc}|[\u2028\u2029]/u
// Emoji and some scripts need these joiners between visible characters.
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Devanagari}\p{M}])[\u200c\u200d](?=\p{L}|\p{Extended_Pictographic})/gu

/**
 * Makes text from models and servers safe to print: control characters, which could control the
 * terminal, become spaces, and invisible characters, which could hide or reorder text, become visible.
 *
 * @example plain('a\u202eb') // 'a<U+202E>b'
 */
export function plain(text: string): string {
  const joiners = new Set([...text.matchAll(JOINED)].map(({ index }) => index))
  return text.replace(INVISIBLE, (character, index: number) => {
    if (joiners.has(index)) return character
    return CONTROL.test(character) ? ' ' : `<U+${codeOf(character)}>`
  })
}

/** Like `plain`, for text of several lines: keeps line breaks and tabs. */
export function plainLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((piece, at) => (at % 2 === 1 ? piece : plain(piece)))
    .join('')
}

/** JSON with the same characters escaped as `\uXXXX`, so that it is safe to print and still exact. */
export function plainJson(value: unknown, space?: number): string {
  return escapeInvisible(JSON.stringify(value, null, space))
}

/** Escapes the same characters in text that is JSON. */
export function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE, (character) => {
    // The line breaks and indentation between the values. In strings, they are escaped already.
    if (character === '\n') return character
    return [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('')
  })
}

function codeOf(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
}
