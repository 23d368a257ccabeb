/**
 * One line of at most `length` characters. Counts and cuts whole characters, never half of one,
 * and says by an ellipsis that there was more.
 */
export function cutText(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim().toWellFormed()
  if (length < 1) return ''
  // a string has at least as many code units as characters
  if (line.length <= length) return line
  const characters = [...line]
  if (characters.length <= length) return line
  return `${characters
    .slice(0, length - 1)
    .join('')
    .trimEnd()}…`
}
