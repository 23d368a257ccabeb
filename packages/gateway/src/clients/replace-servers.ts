import {
  createScanner,
  findNodeAtLocation,
  type JSONPath,
  type Node,
  parseTree,
} from 'jsonc-parser'

export interface ServerReplacement {
  /** The JSON path of the servers in the text. */
  readonly path: JSONPath
  /** The names of the servers to remove. */
  readonly remove: ReadonlySet<string>
  readonly name: string
  readonly entry: unknown
}

/**
 * Replaces several servers with one, and leaves the rest of the text unchanged, including other servers,
 * other keys and comments. The text must be valid JSON with comments.
 */
export function replaceServers(
  text: string,
  { path, remove, name, entry }: ServerReplacement,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const servers = root && findNodeAtLocation(root, path)
  if (servers?.type !== 'object') return text
  const properties = servers.children ?? []
  const kept = properties.filter((property) => !remove.has(nameOf(property)))
  const removed = properties.filter((property) => remove.has(nameOf(property)))
  const cuts = removed.flatMap(spansOf)
  const lastKept = kept.at(-1)
  // strict parsers reject a trailing comma
  if (lastKept && lastKept !== properties.at(-1)) cuts.push(...commaAfter(lastKept))
  let result = text
  for (const [start, end] of cuts.sort((a, b) => b[0] - a[0])) result = cutOut(result, start, end)
  const start = servers.offset + 1
  const written = `${JSON.stringify(name)}: ${JSON.stringify(entry, null, 2)}`
  const indent = indentOf(properties[0]) ?? `${indentOf(servers) ?? ''}  `
  const block = `\n${written.replace(/^/gm, indent)}${lastKept ? ',' : ''}`
  const rest = result.slice(start)
  const close = !lastKept && /^\s*\}/.test(rest) ? `\n${indent.slice(0, -2)}` : ''
  return result.slice(0, start) + block + (close ? close + rest.trimStart() : rest)

  /** The spans of a property and its comma, without a comment between the two. */
  function spansOf(property: Node): Span[] {
    const end = property.offset + property.length
    const [comma] = commaAfter(property)
    if (!comma) return [[property.offset, end]]
    const between = text.slice(end, comma[0])
    return between.trim() === '' ? [[property.offset, comma[1]]] : [[property.offset, end], comma]
  }

  function commaAfter(property: Node): Span[] {
    const scanner = createScanner(text, true)
    scanner.setPosition(property.offset + property.length)
    if (scanner.scan() !== COMMA) return []
    return [[scanner.getTokenOffset(), scanner.getTokenOffset() + 1]]
  }

  function indentOf(node: Node | undefined): string | undefined {
    if (!node) return undefined
    const line = text.slice(text.lastIndexOf('\n', node.offset - 1) + 1, node.offset)
    return /^\s*/.exec(line)![0]
  }
}

type Span = [start: number, end: number]

// the value of SyntaxKind.CommaToken in the library, a const enum that cannot be imported
const COMMA = 5

function nameOf(property: Node): string {
  return String(property.children?.[0]?.value)
}

/** Removes a span, and the whole line if nothing else is on it. */
function cutOut(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const isWholeLine =
    lineEnd >= 0 && (text.slice(lineStart, start) + text.slice(end, lineEnd)).trim() === ''
  return isWholeLine
    ? text.slice(0, lineStart) + text.slice(lineEnd + 1)
    : text.slice(0, start) + text.slice(end)
}
