/** Average width of a character and height of a line at the label's font size, in pixels. */
const CHARACTER = 5.9
const LINE = 14
const PADDING_X = 8
const PADDING_Y = 4
/** A label that is cut off earlier than this tells nothing. */
const FEWEST_CHARACTERS = 6
const SMALLEST_SHARE = 0.5

/**
 * How many lines a name takes in a cell; `undefined` if too little of it would be readable. Names
 * wrap between their words, and a last line that is too long ends with an ellipsis.
 */
export function fitLabel(
  name: string,
  { width, height }: { readonly width: number; readonly height: number },
): number | undefined {
  const perLine = Math.floor((width - PADDING_X) / CHARACTER)
  const lines = Math.floor((height - PADDING_Y) / LINE)
  if (lines < 1) return undefined
  const words = name.split(/(?<=[_.-])(?=[^_.-])/)
  const isBroken = words.some(({ length }) => length > perLine)
  const enough = Math.max(Math.min(FEWEST_CHARACTERS, name.length), name.length * SMALLEST_SHARE)
  if (isBroken) return perLine >= enough ? 1 : undefined
  const needed = linesOf(words, perLine)
  if (needed <= lines) return needed
  return perLine * lines >= enough ? lines : undefined
}

function linesOf(words: readonly string[], perLine: number): number {
  let lines = 1
  let used = 0
  for (const { length } of words) {
    if (used + length > perLine) {
      lines++
      used = 0
    }
    used += length
  }
  return lines
}
