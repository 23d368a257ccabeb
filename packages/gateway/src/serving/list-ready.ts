import type { GatewayView } from '../offering/gateway-view.ts'

/** Long enough for most servers, and short enough for a client that waits for the list. */
const MAX_WAIT_MS = 3_000

type WaitingView = Pick<GatewayView, 'config' | 'servers'>

/**
 * Resolves when the list of tools is complete, or after a few seconds. Many clients list tools only
 * once, immediately after they connect, so a list without the tools of servers that are still
 * connecting would stay incomplete.
 */
export function listReady(view: WaitingView, maxWaitMs: number = MAX_WAIT_MS): Promise<void> {
  const isComplete = () => !isWaiting(view)
  if (isComplete()) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, maxWaitMs)
    const unsubscribe = view.servers.subscribe(() => {
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
export function isWaiting({ config, servers: { upstreams } }: WaitingView): boolean {
  const { mode, pins, servers: settings } = config
  const listsAll = mode === 'passthrough' || mode === 'auto'
  return [...upstreams.values()].some(
    ({ name, status }) =>
      status.isPending === true &&
      (listsAll ||
        pins.some((pin) => pin.startsWith(`${name}/`)) ||
        settings.some((server) => server.name === name && server.alwaysLoad)),
  )
}
