import type { UpstreamSet } from '../offering/upstream-set.ts'
import { plain } from './plain.ts'

/**
 * Reports servers that fail, and that work again afterwards, once per change: a server that keeps
 * failing for the same reason is reported only once. Returns a function that stops it.
 */
export function logServerStates(servers: UpstreamSet, say: (text: string) => void): () => void {
  const reported = new Map<string, string>()

  function check(name: string): void {
    const status = servers.upstreams.get(name)?.status
    if (status?.state === 'failed' || status?.state === 'needs-sign-in') {
      const { state, detail = '' } = status
      const [reason = '', ...log] = detail.split('\n').map(plain)
      if (reported.get(name) === reason) return
      reported.set(name, reason)
      say([`${plain(name)} ${state}: ${reason}`, ...log.map((line) => `  ${line}`)].join('\n'))
    } else if (status?.state === 'ready' && reported.delete(name)) {
      say(`${plain(name)} is ready.`)
    } else if (!status) reported.delete(name)
  }

  for (const name of servers.upstreams.keys()) check(name)
  return servers.subscribe(check)
}
