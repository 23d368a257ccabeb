/** A tool name as one line: a line break would look like a new paragraph of the prompt. */
export function nameLine(name: string): string {
  return cutText(name, 128)
}

/**
 * Shortens a text to one line of at most `length` whole characters, including an ellipsis. It cannot close
 * the tag around a list, because servers write these texts.
 */
export function cutText(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('</', '< /').trim().toWellFormed()
  if (length < 1) return ''
  // fast path: a string has at least as many code units as characters
  if (line.length <= length) return line
  const characters = [...line]
  if (characters.length <= length) return line
  return `${characters
    .slice(0, length - 1)
    .join('')
    .trimEnd()}…`
}
