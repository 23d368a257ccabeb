import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { ConfigProblem } from './config-problem.ts'

/** A parsed JSON text with the position of each value. */
export interface JsonDocument {
  readonly root: Node
  /** The text that offsets refer to: without a byte order mark. */
  readonly text: string
  position(offset: number): Position
}

interface Position {
  readonly line: number
  readonly column: number
}

export interface ParseDocumentOptions {
  readonly file: string
  /** @default 1_000_000 */
  readonly maxChars?: number
}

/** Parses JSON with comments and trailing commas in linear time. Never throws. */
export function parseDocument(
  withMark: string,
  { file, maxChars = 1_000_000 }: ParseDocumentOptions,
): JsonDocument | { readonly problems: readonly ConfigProblem[] } {
  const text = withMark.startsWith('\uFEFF') ? withMark.slice(1) : withMark
  if (text.length > maxChars) {
    const size = `${text.length.toLocaleString('en')} characters`
    return refuse(
      0,
      `The file is too large (${size}).`,
      'Check that this is the right file: a configuration is much smaller.',
    )
  }
  // UTF-16 that was decoded as UTF-8
  if (/^\uFFFD|^[^"]{0,3}\0/.test(text)) {
    return refuse(0, 'The file is not UTF-8.', 'Save it as UTF-8.')
  }
  const tooDeep = firstTooDeep(text)
  if (tooDeep !== undefined) {
    return refuse(
      tooDeep,
      `The file is nested deeper than ${MAX_DEPTH} levels.`,
      'Check for unclosed brackets.',
    )
  }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  // later errors are usually consequences of the first
  const [error] = errors
  if (error) {
    const [message, fix] = SYNTAX[printParseErrorCode(error.error)] ?? OTHER_SYNTAX
    return refuse(error.offset, message, fix)
  }
  if (!root) {
    return refuse(
      0,
      'The file is empty.',
      'Write { "mcpServers": { … } }, or run `toolsearch import`.',
    )
  }
  const starts = lineStarts(text)
  return { root, text, position: (offset) => positionIn(starts, offset) }

  function refuse(offset: number, message: string, fix: string) {
    return { problems: [{ file, ...positionIn(lineStarts(text), offset), message, fix }] }
  }
}

const MAX_DEPTH = 100

type Advice = readonly [message: string, fix: string]

const OTHER_SYNTAX: Advice = ['This is not JSON.', 'Look for an extra or missing character here.']

const SYNTAX: Readonly<Record<string, Advice>> = {
  InvalidSymbol: ['This is not JSON.', 'Put strings and keys in double quotes.'],
  PropertyNameExpected: ['A key is missing here.', 'Put keys in double quotes.'],
  ValueExpected: ['A value is missing here.', 'Write a value, or remove the key or comma.'],
  ColonExpected: ['A colon is missing here.', 'Write "key": value.'],
  CommaExpected: ['A comma is missing here.', 'Put a comma between two entries.'],
  CloseBraceExpected: ['A } is missing here.', 'Close each { with a }.'],
  CloseBracketExpected: ['A ] is missing here.', 'Close each [ with a ].'],
  EndOfFileExpected: [
    'There is text after the end of the JSON.',
    'Keep one { … } and remove the rest.',
  ],
  UnexpectedEndOfComment: ['A comment is never closed.', 'Close it with */.'],
  UnexpectedEndOfString: ['A string is never closed.', 'Close it with a double quote.'],
  InvalidEscapeCharacter: [
    'Invalid escape sequence.',
    'Write \\\\ for a backslash, as in "C:\\\\x".',
  ],
  InvalidUnicode: [
    '\\u needs four hexadecimal digits.',
    'Write \\\\ for a backslash, as in "C:\\\\users".',
  ],
  InvalidCharacter: [
    'A string contains a control character.',
    'Write \\n for a line break, \\t for a tab.',
  ],
}

/** Checks the depth before parsing, because the parser is recursive. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  const open: number[] = []
  for (let kind = scanner.scan(); kind !== END_OF_FILE; kind = scanner.scan()) {
    if (kind === OPEN_BRACE || kind === OPEN_BRACKET) open.push(kind)
    // ignore a bracket that closes nothing
    else if (kind - 1 === open.at(-1)) open.pop()
    if (open.length > MAX_DEPTH) return scanner.getTokenOffset()
  }
  return undefined
}

// the library's SyntaxKind, a const enum that cannot be imported; closing brackets are one higher
const OPEN_BRACE = 1
const OPEN_BRACKET = 3
const END_OF_FILE = 17

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function positionIn(starts: readonly number[], offset: number): Position {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low]! + 1 }
}

/** The plain value of a parsed node. Unlike the library's own function, it supports a key `__proto__`. */
export function nodeValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(nodeValue)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key && value ? [[key.value, nodeValue(value)]] : [],
    ),
  )
}
