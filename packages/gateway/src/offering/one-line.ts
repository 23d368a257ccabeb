/** Control, zero-width, bidirectional and tag characters, which change or hide what a text says. */
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cn}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu

/** A text of somebody else as one visible line of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  const line = text
    .slice(0, 10 * length)
    .replace(/\s+/g, ' ')
    .replace(INVISIBLE, '')
    .toWellFormed()
    .trim()
  if (line.length <= length) return line
  const start = line.slice(0, length - 1)
  const space = start.lastIndexOf(' ')
  return `${(space > length / 2 ? start.slice(0, space) : start).toWellFormed()}…`
}

const MAX_REASON = 300

/**
 * Why a server is not available, for models: without log output, which can contain secrets, and without room for
 * texts of the server. People read all of it in the log and the inspector.
 */
export function shortReason(detail: string): string {
  return oneLine(detail.split('\n', 1)[0]!, MAX_REASON)
}

const MAX_NAME = 40

/** A name that a server chose, without the characters that a sentence needs. */
export function plainName(name: string): string {
  return oneLine(name, MAX_NAME).replace(/[^\p{L}\p{N}_./…-]+/gu, '-')
}
