import type { Node } from 'jsonc-parser'

/** The plain value of a parsed node. Unlike the library's own, `__proto__` is a key like any other. */
export function nodeValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(nodeValue)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key && value ? [[key.value, nodeValue(value)]] : [],
    ),
  )
}
