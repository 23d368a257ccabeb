import { stringify as stringifyToml } from 'smol-toml'
import { stringify as stringifyYaml } from 'yaml'
import type { GatewayTarget, KnownClient } from './known-client.ts'
import { formatOf } from './parse-client-file.ts'

/** What to add to a client's file for the gateway. Undefined if the client has no such servers. */
export function snippetForClient(
  client: KnownClient,
  file: string,
  gateway: GatewayTarget,
): string | undefined {
  const entry = client.entry(gateway)
  if (!entry) return undefined
  const [{ path }] = client.groups({}, { file }) as [{ path: readonly string[] }]
  const servers = client.isList ? [{ name: 'toolsearch', ...entry }] : { toolsearch: entry }
  const nested = path.reduceRight<unknown>((value, key) => ({ [key]: value }), servers)
  const format = formatOf(file)
  if (format === 'toml') return stringifyToml(nested as Record<string, unknown>).trimEnd()
  if (format === 'yaml') return stringifyYaml(nested, { lineWidth: 0 }).trimEnd()
  return JSON.stringify(nested, null, 2)
}
