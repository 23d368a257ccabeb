import { parse, stringify } from 'smol-toml'
import { isObject } from '../protocol/json-object.ts'
import type { ServerReplacement } from './replace-servers.ts'

/**
 * Replaces several servers in TOML, each written as a table such as `[mcp_servers.name]` with subtables,
 * with one, and leaves all other lines unchanged. Undefined if none is written that way.
 */
export function replaceInToml(
  text: string,
  { path, remove, name, entry }: ServerReplacement,
): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(eol)
  const starts = lines.flatMap((line, index) => (/^\s*\[/.test(line) ? [index] : []))
  const cut = new Set<number>()
  for (const [order, start] of starts.entries()) {
    if (!remove.has(tableName(lines[start]!, path))) continue
    let end = starts[order + 1] ?? lines.length
    // comments and blank lines before the next table belong to that table
    while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1]!)) end--
    for (let index = start; index < end; index++) cut.add(index)
  }
  const [first] = cut
  if (first === undefined) return undefined
  const nested = path.reduceRight<unknown>((value, key) => ({ [key]: value }), { [name]: entry })
  const block = stringify(nested as Record<string, unknown>)
    .trimEnd()
    .split('\n')
  return lines
    .flatMap((line, index) => {
      if (index === first) return block
      return cut.has(index) ? [] : [line]
    })
    .join(eol)
}

/** The name of the server in a header such as `[mcp_servers.name.env]`. */
function tableName(header: string, path: readonly string[]): string {
  try {
    const table = path.reduce<unknown>(
      (value, key) => (isObject(value) ? value[key] : undefined),
      parse(header),
    )
    return isObject(table) ? (Object.keys(table)[0] ?? '') : ''
  } catch {
    return ''
  }
}
