import type { Upstream } from '../upstreams/upstream.ts'

/** Whether a server can do something, or has yet to say what it can do. */
export function mayOffer(upstreams: Iterable<Upstream>, capability: string): boolean {
  for (const { status, capabilities } of upstreams) {
    // it was never met if nobody knows what it speaks
    if (status.era === undefined || capabilities[capability] !== undefined) return true
  }
  return false
}
