import type { Gateway } from '../offering/gateway.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'

/** Long enough for most servers, and short enough for a client that waits for the list. */
const MAX_WAIT_MS = 3_000

export interface ListReadyOptions {
  readonly config: Gateway['config']
  readonly servers: UpstreamSet
  readonly maxWaitMs?: number
}

/**
 * Resolves when the list of tools is complete, or after a few seconds. Many clients list tools only
 * once, immediately after they connect, so a list without the tools of servers that are still
 * connecting would stay incomplete.
 */
export function listReady({
  config,
  servers,
  maxWaitMs = MAX_WAIT_MS,
}: ListReadyOptions): Promise<void> {
  const isComplete = () => !isWaiting(config, servers)
  if (isComplete()) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, maxWaitMs)
    const unsubscribe = servers.subscribe(() => {
      if (isComplete()) done()
    })
    function done(): void {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
  })
}

/** Whether the list will contain tools of a server that has not connected yet. */
export function isWaiting(
  { mode, pins, servers: settings }: Gateway['config'],
  { upstreams }: Pick<UpstreamSet, 'upstreams'>,
): boolean {
  const listsAll = mode === 'passthrough' || mode === 'auto'
  return [...upstreams.values()].some(
    ({ name, status }) =>
      status.isPending === true &&
      (listsAll ||
        pins.some((pin) => pin.startsWith(`${name}/`)) ||
        settings.some((server) => server.name === name && server.alwaysLoad)),
  )
}
