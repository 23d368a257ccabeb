/** Average width of a character and height of a line at the label's font size, in pixels. */
const CHARACTER = 6
const LINE = 14
const PADDING_X = 8
const PADDING_Y = 4
/** A label that is cut off earlier than this tells nothing. */
const FEWEST_CHARACTERS = 7

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
  if (perLine < 4 || lines < 1) return undefined
  const needed = linesOf(name, perLine)
  if (needed <= lines) return needed
  return perLine * lines >= Math.min(FEWEST_CHARACTERS, name.length) ? lines : undefined
}

function linesOf(name: string, perLine: number): number {
  let lines = 1
  let used = 0
  for (const { length } of name.split(/(?<=[_.-])(?=[^_.-])/)) {
    if (used + length <= perLine) used += length
    else {
      // A word that is longer than a line breaks anywhere.
      lines += (used > 0 ? 1 : 0) + Math.ceil(length / perLine) - 1
      used = length % perLine || perLine
    }
  }
  return lines
}
