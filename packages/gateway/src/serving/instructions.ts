import type { Gateway } from '../offering/gateway.ts'
import { serverNames } from '../offering/server-directory.ts'
import type { Upstream } from '../upstreams/upstream.ts'

const OWN =
  'Most tools are not listed. Find them with tool_search, then call them with the call tool that ' +
  'matches their effect.'
const MAX_PER_SERVER = 600
const MAX_TOTAL = 4_000

/** The gateway's instructions with the names of its servers, followed by theirs as far as they fit. */
export function gatewayInstructions(
  { config }: Pick<Gateway, 'config'>,
  upstreams: Iterable<Upstream>,
): string {
  const names = serverNames(config.servers)
  const servers = names === '' ? '' : ` Servers: ${names}.`
  // In mode `passthrough` every tool is listed, so there is nothing to find.
  const parts = config.mode === 'passthrough' ? [] : [OWN + servers]
  let remaining = MAX_TOTAL
  for (const { name, instructions } of upstreams) {
    if (instructions === undefined || instructions.trim() === '') continue
    const text = instructions.trim()
    // Between two words, if it has any.
    const start = text.slice(0, MAX_PER_SERVER).replace(/\s\S{0,40}$/, '')
    const shown = text.length > MAX_PER_SERVER ? `${start.toWellFormed()}…` : text
    const part = `## ${name}\n${shown}`
    if (part.length > remaining) break
    remaining -= part.length
    parts.push(part)
  }
  return parts.join('\n\n')
}
