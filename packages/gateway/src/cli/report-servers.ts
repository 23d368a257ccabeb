import { costReport } from '../inspection/cost-report.ts'
import type { GatewayInternals } from '../open-gateway.ts'
import type { Terminal } from './command.ts'
import { count } from './format.ts'
import { plain } from './plain.ts'

/**
 * Tells the person who runs `serve` about each server that fails, and when it works again. Returns a
 * function that stops it.
 */
export function reportServers(
  { gateway, servers }: Pick<GatewayInternals, 'gateway' | 'servers'>,
  terminal: Terminal,
): () => void {
  const failed = new Set<string>()
  let hasAdvised = false

  function check(): void {
    const all = [...servers.upstreams.values()]
    for (const { name, status } of all) {
      const { state, detail = '' } = status
      if (state === 'ready' && failed.delete(name)) terminal.say(`${name} works again.`)
      if (state !== 'failed' && state !== 'needs-sign-in') continue
      if (failed.has(name)) continue
      failed.add(name)
      const [reason = ''] = detail.split('\n')
      const number = `${failed.size} of ${count(all.length, 'server')} failed`
      terminal.say(plain(`${number}: ${name}. ${reason}`))
      terminal.say('Run toolsearch doctor for details.')
    }
    if (!hasAdvised && all.every(({ status }) => status.state !== 'connecting')) advise()
  }

  /** Once, when all servers have connected or failed. */
  function advise(): void {
    hasAdvised = true
    const { advice } = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
    if (advice !== undefined) terminal.say(advice)
  }

  const stop = servers.subscribe(check)
  check()
  return stop
}
