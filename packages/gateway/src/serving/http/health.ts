import type { UpstreamSet } from '../../offering/upstream-set.ts'
import type { UpstreamState } from '../../upstreams/upstream.ts'

/** What a health check reports. Contains no names of servers, because it needs no token. */
export interface Health {
  readonly status: 200 | 503
  readonly body: {
    /**
     * `unavailable`: a store that all replicas need cannot be reached. `draining`: the gateway is about to
     * end, and takes no new sessions.
     */
    readonly status: 'ok' | 'ready' | 'starting' | 'unavailable' | 'draining'
    /** The stores that cannot be reached, such as `redis`. */
    readonly missing?: readonly string[]
    readonly servers?: Readonly<Partial<Record<UpstreamState, number>> & { total: number }>
  }
}

/**
 * Answers `/healthz` and `/readyz`; undefined for other paths. A gateway is ready when the first
 * attempt to connect to each server has ended. A failed server does not make it unready: the others
 * serve, and a restart of the gateway would not help. It is not ready while its stores cannot be reached.
 *
 * @param missingStores the names of stores that cannot be reached. Must not reject
 */
export function healthOf(
  servers: Pick<UpstreamSet, 'upstreams'>,
  path: string,
  missingStores: () => Promise<readonly string[]> = async () => [],
): Health | Promise<Health> | undefined {
  if (path === '/healthz') return { status: 200, body: { status: 'ok' } }
  return path === '/readyz' ? readiness(servers, missingStores) : undefined
}

async function readiness(
  { upstreams }: Pick<UpstreamSet, 'upstreams'>,
  missingStores: () => Promise<readonly string[]>,
): Promise<Health> {
  const statuses = [...upstreams.values()].map(({ status }) => status)
  const counts: Partial<Record<UpstreamState, number>> = {}
  for (const { state } of statuses) counts[state] = (counts[state] ?? 0) + 1
  const servers = { total: statuses.length, ...counts }
  if (statuses.some(({ isPending }) => isPending)) {
    return { status: 503, body: { status: 'starting', servers } }
  }
  const missing = await missingStores()
  return missing.length === 0
    ? { status: 200, body: { status: 'ready', servers } }
    : { status: 503, body: { status: 'unavailable', missing, servers } }
}

/** The answer to `/readyz` of a gateway that is about to end. */
export const DRAINING: Health = { status: 503, body: { status: 'draining' } }
