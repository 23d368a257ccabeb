import type { Upstream } from '../upstreams/upstream.ts'

const OWN =
  'Most tools are not listed. Find them with tool_search, then call them with the call tool that fits ' +
  'their effect.'
const EACH = 600
const ALL = 4_000

/** What the servers say of themselves, shortened to fit. */
export function gatheredInstructions(upstreams: Iterable<Upstream>): string {
  const parts = [OWN]
  let room = ALL
  for (const { name, instructions } of upstreams) {
    if (instructions === undefined || instructions.trim() === '') continue
    const text = instructions.trim()
    const part = `## ${name}\n${text.length > EACH ? `${text.slice(0, EACH)}…` : text}`
    if (part.length > room) break
    room -= part.length
    parts.push(part)
  }
  return parts.join('\n\n')
}
