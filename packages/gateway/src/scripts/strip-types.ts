import swc from '@swc/wasm-typescript'
import type { ScriptProblem } from './script-messages.ts'

/** The line before the script: scripts can use `await` and `return` at the top level. */
const HEAD = '(async () => { "use strict";\n'
const TAIL = '\n})'
const PROGRAM_HEAD = '"use strict"; {\n'
const PROGRAM_TAIL = '\n}'
/** How many lines of the code precede the script. */
export const LINES_BEFORE = 1

/** The name of the script in stack traces. */
export const SCRIPT_FILE = 'script.ts'

/** The message to a script that imports something. */
export const NO_IMPORTS =
  'Scripts have no imports and exports. Everything they can use is in "tools".'

/** A script in JavaScript, in two forms. Each line and column is that of the script. */
export interface StrippedScript {
  /** An async function, in which `return` works. */
  readonly code: string
  /** A program without `return`, whose value is that of its last expression. */
  readonly program: string
}

/** What a stripper reports: lines from 1, columns from 0. */
interface StripError {
  readonly code: string
  readonly message: string
  readonly startLine?: number
  readonly startColumn?: number
}

/**
 * Turns a script into JavaScript. Types become spaces, so that every
 * position stays the same.
 *
 * @throws if the parser fails. It cannot be used again then.
 */
export function stripTypes(source: string): StrippedScript | { readonly problem: ScriptProblem } {
  try {
    const { code } = swc.transformSync(`${HEAD}${source}${TAIL}`, {
      mode: 'strip-only',
      filename: SCRIPT_FILE,
      module: false,
    })
    const body = code.slice(HEAD.length, code.length - TAIL.length)
    return { code, program: `${PROGRAM_HEAD}${body}${PROGRAM_TAIL}` }
  } catch (error) {
    const { startLine, startColumn, ...rest } = error as StripError
    // The parser itself failed, which happens with thousands of nested expressions.
    if (startLine === undefined || startColumn === undefined) throw new Error(UNPARSABLE)
    return { problem: problemOf({ startLine, startColumn, ...rest }, source) }
  }
}

const UNPARSABLE = 'SyntaxError: The script cannot be parsed. It is probably nested too deeply.'

function problemOf(
  { code, message, startLine, startColumn }: Required<StripError>,
  source: string,
): ScriptProblem {
  const lines = source.split('\n')
  // An unclosed block is reported behind the end of the script.
  const line = Math.min(Math.max(startLine - LINES_BEFORE, 1), lines.length)
  const isBehind = startLine - LINES_BEFORE > lines.length
  const column = isBehind ? (lines.at(-1)?.length ?? 0) + 1 : startColumn + 1
  return { message: explain(code, message), line, column }
}

function explain(code: string, message: string): string {
  if (message.includes("'import', and 'export'")) {
    return `SyntaxError: ${NO_IMPORTS}`
  }
  if (code !== 'UnsupportedSyntax') return `SyntaxError: ${message}`
  const what = message.replace(/ is not supported in (strip-only|type strip) mode\.?/, '')
  return `SyntaxError: ${what} cannot be used in scripts, which support only TypeScript syntax that can be erased. Write it in JavaScript.`
}
