import type { Finding } from '../inspection/lint-catalogue.ts'
import { count, listSome } from './format.ts'

/** Up to this many findings of a kind are listed one by one. */
const SINGLE = 3

/**
 * The messages of findings, without repeating one cause many times: two servers with the same tools are
 * one message, and many findings of one kind are summarized.
 *
 * @param serverOf the server that a tool belongs to
 */
export function groupFindings(
  findings: readonly Finding[],
  serverOf: (tool: string) => string | undefined,
): string[] {
  const overlaps = new Map<string, { servers: readonly string[]; findings: Finding[] }>()
  const rest: Finding[] = []
  for (const finding of findings) {
    const servers = serversOf(finding, serverOf)
    if (servers.length < 2) {
      rest.push(finding)
      continue
    }
    const key = servers.join('\n')
    const overlap = overlaps.get(key)
    if (overlap) overlap.findings.push(finding)
    else overlaps.set(key, { servers, findings: [finding] })
  }
  const messages: string[] = []
  for (const { servers, findings: shared } of overlaps.values()) {
    const tools = [...new Set(shared.map(({ tool }) => tool))]
    if (tools.length > 1) messages.push(overlapMessage(servers, tools))
    // For a single tool, its own message says more.
    else rest.push(shared[0]!)
  }
  return [...messages, ...summarize(rest)]
}

function isShared(kind: Finding['kind']): boolean {
  return kind === 'twin' || kind === 'shadowed'
}

function serversOf(
  { kind, tool, others = [] }: Finding,
  serverOf: (tool: string) => string | undefined,
): string[] {
  if (!isShared(kind)) return []
  const servers = [tool, ...others].map(serverOf).filter((server) => server !== undefined)
  return [...new Set(servers)].sort()
}

function overlapMessage(servers: readonly string[], tools: readonly string[]): string {
  const names = `${servers.slice(0, -1).join(', ')} and ${servers.at(-1)}`
  return (
    `${names} overlap: ${count(tools.length, 'tool')} with the same name or description ` +
    `(${listSome(tools, 3)}). A model may confuse them. Disable one server, or add its tools to "deny".`
  )
}

const SUMMARIES: Partial<Record<Finding['kind'], (tools: string) => string>> = {
  twin: (tools) => `${tools} have the same description as another tool of their server`,
  'no-description': (tools) =>
    `${tools} have no description, so a search can only match their names`,
  'long-description': (tools) => `${tools} have very long descriptions`,
  'token-hog': (tools) => `${tools} take many tokens each time they are loaded`,
  promotion: (tools) => `${tools} promote themselves or give orders to the model`,
  'invalid-schema': (tools) => `${tools} have invalid schemas, so their arguments are not checked`,
}

/** Lists the findings in their order, except kinds that have many: those become one message. */
function summarize(findings: readonly Finding[]): string[] {
  const kinds = new Map<Finding['kind'], Finding[]>()
  for (const finding of findings) {
    const same = kinds.get(finding.kind)
    if (same) same.push(finding)
    else kinds.set(finding.kind, [finding])
  }
  return [...kinds].flatMap(([kind, same]) => {
    const summary = SUMMARIES[kind]
    if (same.length <= SINGLE || !summary) return same.map(({ message }) => message)
    const tools = same.map(({ tool }) => tool)
    return [
      `${summary(count(same.length, 'tool'))}: ${listSome(tools, SINGLE)}. Run toolsearch doctor --json for details.`,
    ]
  })
}
