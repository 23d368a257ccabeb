import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { redactEntry } from '../../config/redact-entry.ts'
import { redactSettings } from '../../config/redact-settings.ts'
import { isObject } from '../../protocol/json-object.ts'

/** The text of a configuration file with its secrets masked; everything else stays in place. */
export function redactConfigText(text: string): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (!root) return text
  const masked: { offset: number; length: number; value: string }[] = []
  for (const key of ['mcpServers', 'servers']) {
    for (const property of findNodeAtLocation(root, [key])?.children ?? []) {
      const entry = property.children?.[1]
      const value = entry && dataOf(entry)
      if (isObject(value)) collect(entry!, redactEntry(value))
    }
  }
  const settings = findNodeAtLocation(root, ['toolsearch'])
  if (settings) collect(settings, redactSettings(dataOf(settings)))
  return masked
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (result, { offset, length, value }) =>
        result.slice(0, offset) + value + result.slice(offset + length),
      text,
    )

  /** Walks the text and its redacted value together. */
  function collect(node: Node, redacted: unknown): void {
    if (node.type === 'object') {
      for (const property of node.children ?? []) {
        const [key, value] = property.children ?? []
        if (key && value && isObject(redacted)) collect(value, redacted[String(key.value)])
      }
    } else if (node.type === 'array') {
      for (const [index, item] of (node.children ?? []).entries()) {
        if (Array.isArray(redacted)) collect(item, redacted[index])
      }
    } else if (node.value !== redacted) {
      const { offset, length } = node
      masked.push({ offset, length, value: JSON.stringify(redacted) ?? '"***"' })
    }
  }
}

function dataOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(dataOf)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [
      String(children[0]?.value),
      children[1] && dataOf(children[1]),
    ]),
  )
}
