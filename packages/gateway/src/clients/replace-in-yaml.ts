import { isMap, isScalar, isSeq, type Node, parseDocument, stringify } from 'yaml'
import type { ServerReplacement } from './replace-servers.ts'

/**
 * Replaces several servers in YAML with one, and leaves all other lines unchanged. Undefined if the
 * servers are not written as a block, one or more lines each.
 */
export function replaceInYaml(
  text: string,
  { path, remove, name, entry }: ServerReplacement,
): string | undefined {
  const servers = parseDocument(text).getIn(path, true)
  if ((!isMap(servers) && !isSeq(servers)) || servers.flow) return undefined
  const spans: (readonly [start: number, end: number])[] = []
  for (const item of servers.items) {
    const [label, first, last] = isMap(item)
      ? [item.get('name'), item, item]
      : 'key' in (item as object)
        ? pairParts(item as { key: unknown; value: unknown })
        : [undefined, undefined, undefined]
    if (!remove.has(String(label)) || !first?.range || !last?.range) continue
    spans.push([lineStart(text, first.range[0]), lineEnd(text, last.range[1])])
  }
  const [at] = spans
  if (!at) return undefined
  const indent = /^[ \t]*/.exec(text.slice(at[0]))![0]
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const value = isSeq(servers) ? [{ name, ...(entry as object) }] : { [name]: entry }
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n')
  const block = lines.map((line) => `${indent}${line}${eol}`).join('')
  let result = text
  for (const [start, end] of spans.toReversed()) {
    result = result.slice(0, start) + (start === at[0] ? block : '') + result.slice(end)
  }
  return result
}

function pairParts({ key, value }: { key: unknown; value: unknown }) {
  const label = isScalar(key) ? key.value : undefined
  return [label, key as Node, (value ?? key) as Node] as const
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** The start of the line after a position; the position itself if a line starts there. */
function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}
