import { createScanner, type Node } from 'jsonc-parser'

/**
 * Removes properties of an object or items of an array from a JSON text. Keeps every comment, leaves no
 * blank lines and no trailing comma behind.
 *
 * @param text the text that the offsets of `parent` refer to
 */
export function cutChildren(
  text: string,
  parent: Node,
  isRemoved: (child: Node, index: number) => boolean,
): string {
  const children = parent.children ?? []
  const removed = new Set(children.filter(isRemoved))
  const cuts = [...removed].flatMap((child) => spansOf(text, child))
  const lastKept = children.findLast((child) => !removed.has(child))
  // strict parsers reject a trailing comma
  if (lastKept && lastKept !== children.at(-1)) {
    const comma = commaAfter(text, lastKept)
    if (comma) cuts.push(comma)
  }
  let result = text
  for (const [start, end] of cuts.sort((a, b) => b[0] - a[0])) result = cutOut(result, start, end)
  return result
}

type Span = readonly [start: number, end: number]

/** The comma that follows a node, if there is one. */
export function commaAfter(text: string, node: Node): Span | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(node.offset + node.length)
  if (scanner.scan() !== COMMA) return undefined
  return [scanner.getTokenOffset(), scanner.getTokenOffset() + 1]
}

// the value of SyntaxKind.CommaToken in the library, a const enum that cannot be imported
const COMMA = 5

/** The spans of a child and its comma, without a comment between the two. */
function spansOf(text: string, child: Node): Span[] {
  const end = child.offset + child.length
  const comma = commaAfter(text, child)
  if (!comma) return [[child.offset, end]]
  const between = text.slice(end, comma[0])
  return between.trim() === '' ? [[child.offset, comma[1]]] : [[child.offset, end], comma]
}

/** Removes a span, and the whole line if nothing else is on it. */
function cutOut(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const isWholeLine =
    lineEnd >= 0 && (text.slice(lineStart, start) + text.slice(end, lineEnd)).trim() === ''
  if (isWholeLine) return text.slice(0, lineStart) + text.slice(lineEnd + 1)
  // of the spaces around the span, one is enough
  const isSpaced = /[\t ]/.test(text.charAt(start - 1)) && text.charAt(end) === ' '
  return text.slice(0, start) + text.slice(isSpaced ? end + 1 : end)
}
