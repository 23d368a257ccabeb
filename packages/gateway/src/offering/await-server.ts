import { toolPrefix } from '../config/tool-prefix.ts'
import type { CancelSignal } from '../protocol/cancellation.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { shortReason } from './one-line.ts'
import type { SharedTools } from './shared-tools.ts'
import type { UpstreamSet } from './upstream-set.ts'
import type { VisibleTools } from './visible-tools.ts'

/**
 * Waits for the server of a tool that is not known yet, because the server is still connecting or has
 * failed. Resolves to the reason if the tool is unavailable, and to undefined if it is available or if
 * no server that could have it is missing.
 */
export type AwaitServer = (
  tool: string,
  signal: CancelSignal | undefined,
) => Promise<string | undefined>

/** @param servers those that the caller may know: no other is waited for or named */
export function createAwaitServer(
  shared: SharedTools,
  tools: Pick<VisibleTools, 'origin'>,
  servers: Pick<UpstreamSet, 'upstreams'>,
): AwaitServer {
  return async (tool, signal) => {
    const upstream = serverOf(tool)
    if (!upstream) return undefined
    const { callMs } = shared.settings(upstream.name)?.limits ?? shared.config.limits
    const { state } = upstream.status
    if (state !== 'needs-sign-in' && state !== 'ready') {
      await settledWithin(upstream.connect({ isUrgent: true }), callMs, signal)
    }
    await shared.indexed(upstream.name)
    if (tools.origin(tool) || upstream.status.state === 'ready') return undefined
    return `"${tool}" is not available. ${reason(upstream)}`
  }

  /** The server that has a tool by its name. */
  function serverOf(tool: string): Upstream | undefined {
    let found: Upstream | undefined
    let length = -1
    for (const upstream of servers.upstreams.values()) {
      const hasPrefix = shared.settings(upstream.name)?.prefix !== false
      const prefix = hasPrefix ? `${toolPrefix(upstream.name)}__` : ''
      if (tool.startsWith(prefix) && prefix.length > length) {
        found = upstream
        length = prefix.length
      }
    }
    return found
  }
}

function reason({ name, status: { state, detail = 'no reason given.' } }: Upstream): string {
  if (state === 'failed') return `Server ${name} failed: ${shortReason(detail)}`
  if (state === 'needs-sign-in') return `Server ${name} needs a sign-in: ${shortReason(detail)}`
  return `Server ${name} is still starting. Try again in a moment.`
}

function settledWithin(
  promise: Promise<void>,
  ms: number,
  signal: CancelSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    if (signal?.aborted) done()
    signal?.addEventListener('abort', done, { once: true })
    void promise.then(done)
  })
}
