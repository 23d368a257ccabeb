import { applyEdits, createScanner, findNodeAtLocation, modify, type Node } from 'jsonc-parser'
import { commaAfter, cutChildren } from './cut-children.ts'
import { parseDocument } from './parse-document.ts'

/** One change of a configuration file. */
export interface ConfigEdit {
  /** Keys and indexes from the root. The index -1 appends to an array. */
  readonly path: readonly (string | number)[]
  /** The new value; `undefined` removes the property or item. */
  readonly value: unknown
}

/** A text cannot be edited: it is not JSON, or a parent of the path is not an object or array. */
export class ConfigEditError extends Error {
  override readonly name = 'ConfigEditError'
  readonly code = 'config_not_editable'
}

/**
 * Edits JSON the way a person would: keeps comments, indentation, line endings and everything that was
 * not asked to change. Creates missing parents. An empty text counts as `{}`.
 *
 * @throws ConfigEditError
 */
export function editConfig(text: string, edits: readonly ConfigEdit[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(mark.length)
  return mark + edits.reduce(applyEdit, body.trim() === '' ? '{}\n' : body)
}

function applyEdit(text: string, { path, value }: ConfigEdit): string {
  const document = parseDocument(text, { file: '', maxChars: Number.MAX_SAFE_INTEGER })
  if ('problems' in document) {
    const { line, message, fix } = document.problems[0]!
    throw new ConfigEditError(`Line ${line}: ${message} ${fix}`)
  }
  const { root } = document
  return value === undefined ? remove(text, root, path) : set(text, root, path, value)
}

function remove(text: string, root: Node, path: ConfigEdit['path']): string {
  const parent = findNodeAtLocation(root, path.slice(0, -1))
  const key = path.at(-1)
  if (parent?.type === 'object') return cutChildren(text, parent, (child) => nameOf(child) === key)
  if (parent?.type === 'array') return cutChildren(text, parent, (_, index) => index === key)
  return text
}

function set(text: string, root: Node, path: ConfigEdit['path'], value: unknown): string {
  let parent = root
  for (const [depth, key] of path.entries()) {
    const isMatching = parent.type === (typeof key === 'number' ? 'array' : 'object')
    if (!isMatching) {
      const place = depth === 0 ? 'the file' : `"${path.slice(0, depth).join('.')}"`
      const wanted = typeof key === 'number' ? 'a list' : 'an object'
      throw new ConfigEditError(`Expected ${place} to be ${wanted}.`)
    }
    const child = key === -1 ? undefined : findNodeAtLocation(parent, [key])
    // `null` is an empty place: a nested value replaces it
    const isLast = depth === path.length - 1
    if (child === undefined || (child.type === 'null' && !isLast)) {
      const nested = nest(path.slice(depth + 1), value)
      if (child === undefined && isMultiLine(text, parent)) return append(text, parent, key, nested)
      if (child === undefined && isOneLine(text, parent) && !isCollection(nested)) {
        return appendInLine(text, parent, key, nested)
      }
      return modified(text, path.slice(0, depth + 1), nested)
    }
    parent = child
  }
  return modified(text, path, value)
}

function nest(path: ConfigEdit['path'], value: unknown): unknown {
  return path.reduceRight(
    (inner: unknown, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  )
}

function modified(text: string, path: ConfigEdit['path'], value: unknown): string {
  const { unit, eol } = styleOf(text)
  const formattingOptions = { insertSpaces: unit !== '\t', tabSize: unit.length, eol }
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
}

/** Whether an object or array has children and its closing bracket is on a line of its own. */
function isMultiLine(text: string, { offset, length, children }: Node): boolean {
  const close = offset + length - 1
  const lineStart = text.lastIndexOf('\n', close) + 1
  return !!children?.length && lineStart > offset && text.slice(lineStart, close).trim() === ''
}

function isOneLine(text: string, { offset, length, children }: Node): boolean {
  return !!children?.length && !text.slice(offset, offset + length).includes('\n')
}

function isCollection(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The library would spread the object or array over several lines. */
function appendInLine(text: string, parent: Node, key: string | number, value: unknown): string {
  const last = parent.children!.at(-1)!
  const end = last.offset + last.length
  return `${text.slice(0, end)}, ${written(key, value, '')}${text.slice(end)}`
}

function written(key: string | number, value: unknown, unit: string): string {
  const label = typeof key === 'string' ? `${JSON.stringify(key)}: ` : ''
  return label + JSON.stringify(value, null, unit)
}

/**
 * Adds a line after the last child. The library would put it between that child and a comment on the same
 * line, so that the comment seems to belong to the new one.
 */
function append(text: string, parent: Node, key: string | number, value: unknown): string {
  const { unit, eol } = styleOf(text)
  const last = parent.children!.at(-1)!
  const end = last.offset + last.length
  const comma = commaAfter(text, last)
  const lineEnd = endOfLine(text, comma?.[1] ?? end)
  const indent = indentOf(text, last.offset) ?? `${indentOf(text, parent.offset) ?? ''}${unit}`
  const lines = written(key, value, unit).split('\n')
  const block = lines.map((line) => `${eol}${indent}${line}`).join('')
  const before = comma
    ? text.slice(0, lineEnd)
    : `${text.slice(0, end)},${text.slice(end, lineEnd)}`
  return before + block + text.slice(lineEnd)
}

/** Where a line ends, past the comments on it. */
function endOfLine(text: string, start: number): number {
  const scanner = createScanner(text, false)
  scanner.setPosition(start)
  let kind = scanner.scan()
  while (kind === LINE_COMMENT || kind === BLOCK_COMMENT || kind === SPACES) kind = scanner.scan()
  return scanner.getTokenOffset()
}

// the library's SyntaxKind, a const enum that cannot be imported
const LINE_COMMENT = 12
const BLOCK_COMMENT = 13
const SPACES = 15

/** The whitespace before a position; undefined if something else precedes it on its line. */
function indentOf(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return before.trim() === '' ? before : undefined
}

function styleOf(text: string): { readonly unit: string; readonly eol: string } {
  const indent = /^([ \t]+)["{}[\]]/m.exec(text)?.[1] ?? '  '
  return {
    unit: indent.startsWith('\t') ? '\t' : indent,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

function nameOf(property: Node): string {
  return String(property.children?.[0]?.value)
}
