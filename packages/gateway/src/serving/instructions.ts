import type { GatewayView } from '../offering/gateway-view.ts'
import { serverNames } from '../offering/server-directory.ts'

const OWN =
  'Most tools are not listed. Find them with tool_search, then call them with the call tool that ' +
  'matches their effect.'
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
const MAX_PER_SERVER = 600
const MAX_TOTAL = 4_000

/**
 * The gateway's instructions with the names of the servers that a caller may know, followed by theirs
 * as far as they fit, as quotations: no text of a server looks like one of the gateway or of another server.
 * A profile can describe itself, and replace the gateway's own part.
 */
export function gatewayInstructions({
  config,
  rights,
  servers: { upstreams },
}: Pick<GatewayView, 'config' | 'rights' | 'servers'>): string {
  const { description, instructions: replaced } = config
  const names = serverNames(config.servers)
  const servers = names === '' ? '' : ` Servers: ${names}.`
  // In mode `passthrough` every tool is listed, so there is nothing to find.
  const own = config.mode === 'passthrough' ? undefined : OWN + servers
  const parts = [description, replaced ?? own].filter((part) => part !== undefined)
  let remaining = MAX_TOTAL
  for (const { name, instructions } of upstreams.values()) {
    if (instructions === undefined || instructions.trim() === '') continue
    if (!rights.server(name).isAllowed) continue
    const text = instructions.trim()
    // Between two words, if it has any.
    const start = text.slice(0, MAX_PER_SERVER).replace(/\s\S{0,40}$/, '')
    const shown = text.length > MAX_PER_SERVER ? `${start.toWellFormed()}…` : text
    const part = `## ${name}\n${quoted(shown)}`
    if (part.length > remaining) break
    remaining -= part.length
    parts.push(part)
  }
  return parts.join('\n\n')
}

function quoted(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `> ${line}`)
    .join('\n')
}
