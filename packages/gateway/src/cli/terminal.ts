import type { Terminal } from './command.ts'
import { plainLines } from './plain.ts'

/** The styles that `paint` uses. Others could hide text. */
const STYLE = new RegExp(`(${'\u001b'}\\[(?:1|2|22|31|32|33|34|35|36|39)m)`)

interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/**
 * The terminal of a process. Whatever a command prints, text from servers and models can't control the
 * terminal.
 */
export function createTerminal(
  stdout: Output,
  stderr: Output,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const hasColours = stdout.isTTY === true && env.NO_COLOR === undefined
  const safe = (text: string) =>
    text
      .split(STYLE)
      .map((piece, at) => (at % 2 === 0 ? plainLines(piece) : hasColours ? piece : ''))
      .join('')
  return {
    print: (text) => void stdout.write(`${safe(text)}\n`),
    say: (text) => void stderr.write(`${safe(text)}\n`),
    hasColours,
    width: stdout.columns || 100,
  }
}
