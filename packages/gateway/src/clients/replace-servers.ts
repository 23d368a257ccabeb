import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { cutChildren } from '../config/cut-children.ts'

export interface ServerReplacement {
  /** The JSON path of the servers in the text. */
  readonly path: readonly string[]
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
  const servers = root && findNodeAtLocation(root, [...path])
  if (servers?.type !== 'object') return text
  const properties = servers.children ?? []
  const isKept = properties.some((property) => !remove.has(nameOf(property)))
  const result = cutChildren(text, servers, (property) => remove.has(nameOf(property)))
  const start = servers.offset + 1
  const written = `${JSON.stringify(name)}: ${JSON.stringify(entry, null, 2)}`
  const indent = indentOf(properties[0]) ?? `${indentOf(servers) ?? ''}  `
  const block = `\n${written.replace(/^/gm, indent)}${isKept ? ',' : ''}`
  const rest = result.slice(start)
  const close = !isKept && /^\s*\}/.test(rest) ? `\n${indent.slice(0, -2)}` : ''
  return result.slice(0, start) + block + (close ? close + rest.trimStart() : rest)

  function indentOf(node: Node | undefined): string | undefined {
    if (!node) return undefined
    const line = text.slice(text.lastIndexOf('\n', node.offset - 1) + 1, node.offset)
    return /^\s*/.exec(line)![0]
  }
}

function nameOf(property: Node): string {
  return String(property.children?.[0]?.value)
}
