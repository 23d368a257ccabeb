/** Limits how many connections are open at the same time. */
export interface LeasePool {
  /** Makes room by ending the idle connection that was used longest ago. Undefined if none is idle. */
  acquire(holder: LeaseHolder): Lease | undefined
  readonly size: number
}

interface LeaseHolder {
  /** Whether the connection can be ended without cutting off a request. */
  isIdle(): boolean
  /** Ends the connection, and its lease. */
  end(): void
}

/** The right to have one connection open. */
export interface Lease {
  /** The connection is being used. */
  touch(): void
  /** Does nothing if it has ended already. */
  end(): void
}

export function createLeasePool(max: number): LeasePool {
  /** The ones that were used longest ago first. */
  const leases = new Map<Lease, LeaseHolder>()

  function makeRoom(): boolean {
    for (const [lease, holder] of leases) {
      if (leases.size < max) return true
      if (!holder.isIdle()) continue
      leases.delete(lease)
      holder.end()
    }
    return leases.size < max
  }

  return {
    get size() {
      return leases.size
    },
    acquire(holder) {
      if (!makeRoom()) return undefined
      const lease: Lease = {
        touch() {
          if (leases.delete(lease)) leases.set(lease, holder)
        },
        end: () => void leases.delete(lease),
      }
      leases.set(lease, holder)
      return lease
    },
  }
}
