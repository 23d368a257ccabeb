import swc from '@swc/wasm-typescript'
import type { ScriptProblem } from './script-messages.ts'

/** In the first line of the script, so that every line has the number that the model knows. */
const head = (code: string) => code.padEnd(40)
const HEAD = head('(async () => { "use strict";')
const TAIL = '\n})'
/** How many columns of the first line precede the script. */
export const COLUMNS_BEFORE: number = HEAD.length

/** An async function, in which `return` works. */
export const asFunction = (body: string) => `${HEAD}${body}${TAIL}`
/** Does not compile if the script itself closes the function, because a declaration ends in another way. */
export const asDeclaration = (body: string) =>
  `${head('async function f() {"use strict";')}${body}\n}`
/** A program without `return`, whose value is that of its last statement. */
export const asProgram = (body: string) => `${head('"use strict"; {')}${body}\n}`

/** The name of the script in stack traces. */
export const SCRIPT_FILE = 'script.ts'

/** The message to a script that imports something. */
export const NO_IMPORTS =
  'Scripts have no imports and exports. Everything they can use is in "tools".'

/** What a stripper reports: lines from 1, columns from 0. */
interface StripError {
  readonly code: string
  readonly message: string
  readonly startLine?: number
  readonly startColumn?: number
}

/**
 * Turns a script into the body of an async function in JavaScript. Types become spaces, so that every
 * position stays the same.
 *
 * @throws if the parser fails. It cannot be used again then.
 */
export function stripTypes(
  source: string,
): { readonly body: string } | { readonly problem: ScriptProblem } {
  try {
    const { code } = swc.transformSync(asFunction(source), {
      mode: 'strip-only',
      filename: SCRIPT_FILE,
      module: false,
    })
    return { body: code.slice(HEAD.length, code.length - TAIL.length) }
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
  const isBehind = startLine > lines.length
  const line = Math.min(startLine, lines.length)
  const columnsBefore = startLine === 1 ? COLUMNS_BEFORE : 0
  const column = isBehind
    ? (lines.at(-1)?.length ?? 0) + 1
    : Math.max(1, startColumn + 1 - columnsBefore)
  return { message: explain(code, message), line, column }
}

function explain(code: string, message: string): string {
  if (message.includes("'import', and 'export'")) {
    return `SyntaxError: ${NO_IMPORTS}`
  }
  if (code !== 'UnsupportedSyntax') return `SyntaxError: ${message}`
  const what = message.replace(/ is not supported in (strip-only|type strip) mode\..*/s, '')
  return `SyntaxError: ${what} is not supported. Scripts support only TypeScript syntax that can be erased. Write it in JavaScript.`
}
