import type { UpstreamSet } from '../../offering/upstream-set.ts'
import type { UpstreamState } from '../../upstreams/upstream.ts'

/** What a health check reports. Contains no names, because it needs no token. */
export interface Health {
  readonly status: 200 | 503
  readonly body: {
    readonly status: 'ok' | 'ready' | 'starting'
    readonly servers?: Readonly<Partial<Record<UpstreamState, number>> & { total: number }>
  }
}

/**
 * Answers `/healthz` and `/readyz`; undefined for other paths. A gateway is ready when the first
 * attempt to connect to each server has ended. A failed server does not make it unready: the others
 * serve, and a restart of the gateway would not help.
 */
export function healthOf(
  { upstreams }: Pick<UpstreamSet, 'upstreams'>,
  path: string,
): Health | undefined {
  if (path === '/healthz') return { status: 200, body: { status: 'ok' } }
  if (path !== '/readyz') return undefined
  const statuses = [...upstreams.values()].map(({ status }) => status)
  const counts: Partial<Record<UpstreamState, number>> = {}
  for (const { state } of statuses) counts[state] = (counts[state] ?? 0) + 1
  const servers = { total: statuses.length, ...counts }
  return statuses.some(({ isPending }) => isPending)
    ? { status: 503, body: { status: 'starting', servers } }
    : { status: 200, body: { status: 'ready', servers } }
}
