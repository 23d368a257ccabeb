import { stringify as stringifyToml } from 'smol-toml'
import { stringify as stringifyYaml } from 'yaml'
import { isObject } from '../protocol/json-object.ts'
import type { GatewayTarget, KnownClient } from './known-client.ts'
import { formatOf, parseClientFile } from './parse-client-file.ts'

/**
 * What to add to a client's file for the gateway. Undefined if the client has no such servers.
 *
 * @param existing the text of the file, if it exists, because some clients have more than one format
 */
export function snippetForClient(
  client: KnownClient,
  file: string,
  gateway: GatewayTarget,
  existing = '',
): string | undefined {
  const entry = client.entry(gateway)
  if (!entry) return undefined
  const parsed = parseClientFile(existing, file)
  const content = 'content' in parsed ? parsed.content : {}
  const [{ path }] = client.groups(content, { file }) as [{ path: readonly string[] }]
  const servers = client.isList ? [{ name: 'toolsearch', ...entry }] : { toolsearch: entry }
  const nested = path.reduceRight<unknown>((value, key) => ({ [key]: value }), servers)
  const format = formatOf(file)
  if (format === 'yaml') return stringifyYaml(nested, { lineWidth: 0 }).trimEnd()
  if (format === 'json') return JSON.stringify(nested, null, 2)
  const tables = stringifyToml(nested as Record<string, unknown>).trimEnd()
  // an inline table such as `mcp_servers = { … }` cannot be extended with a table
  const isInline =
    'content' in parsed && !('content' in parseClientFile(`${existing}\n${tables}`, file))
  if (!isInline) return tables
  return `# inside ${path.join('.')} = { … }, separated from other entries by commas\ntoolsearch = ${inlineToml(entry)}`
}

function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(', ')}]`
  // strings, numbers and booleans are written as in JSON
  if (!isObject(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, inner]) => {
    const name = /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
    return `${name} = ${inlineToml(inner)}`
  })
  return `{ ${pairs.join(', ')} }`
}
