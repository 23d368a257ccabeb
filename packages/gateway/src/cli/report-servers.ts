import { costReport } from '../inspection/cost-report.ts'
import type { GatewayInternals } from '../open-internals.ts'
import type { Terminal } from './command.ts'
import { count } from './format.ts'
import { plain } from './plain.ts'

/** With more tools, tool search always saves tokens. */
const FEW_TOOLS = 100

/**
 * Tells the person who runs `serve` about each server that fails, and when it works again, and about lists that are
 * incomplete. The same reason is reported once. Returns a function that stops it.
 */
export function reportServers(
  { gateway, servers }: Pick<GatewayInternals, 'gateway' | 'servers'>,
  { say, warn = say }: Pick<Terminal, 'say' | 'warn'>,
): () => void {
  const reasons = new Map<string, string>()
  /** What is wrong with servers that work. */
  const warnings = new Map<string, string | undefined>()
  let hasAdvised = false

  function check(name: string): void {
    const status = servers.upstreams.get(name)?.status
    if (status?.state === 'failed' || status?.state === 'needs-sign-in') {
      const [reason = '', ...log] = (status.detail ?? '').split('\n').map(plain)
      if (reasons.get(name) === reason) return
      reasons.set(name, reason)
      const number = `${reasons.size} of ${count(servers.upstreams.size, 'server')} failed`
      const lines = [`${number}: ${plain(name)}. ${reason}`, ...log.map((line) => `  ${line}`)]
      warn([...lines, 'Run toolsearch doctor for details.'].join('\n'))
    } else if (status?.state === 'ready') {
      if (reasons.delete(name)) say(`${plain(name)} works again.`)
      if (status.detail !== warnings.get(name)) {
        warnings.set(name, status.detail)
        if (status.detail !== undefined) warn(`${plain(name)}: ${plain(status.detail)}`)
      }
    } else if (!status) reasons.delete(name)
    advise()
  }

  /** Once, when all servers have connected or failed. */
  function advise(): void {
    if (hasAdvised) return
    const all = [...servers.upstreams.values()]
    if (all.some(({ status }) => status.state === 'connecting')) return
    hasAdvised = true
    // The cost of thousands of tools takes seconds to compute, and is never worth a warning.
    if (all.reduce((sum, { tools }) => sum + tools.length, 0) > FEW_TOOLS) return
    const { advice } = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
    if (advice !== undefined) say(advice)
  }

  for (const name of servers.upstreams.keys()) check(name)
  return servers.subscribe(check)
}
