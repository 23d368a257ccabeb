/**
 * The numbers behind limits, in the memory of this process or in Redis. `limit-counters.cases.ts` is the
 * contract. Methods reject with `StateUnavailableError` if Redis cannot be reached.
 */
export interface LimitCounters {
  /**
   * Adds to a counter, which starts at zero and is reset one period after its first use. An amount of
   * zero only reads it; a negative one takes back.
   */
  add(key: string, amount: number, periodSeconds: number): Promise<Count>
  /**
   * Takes one of `max` places, unless all are taken. The places of a process that dies become free when
   * its leases end.
   */
  enter(key: string, max: number): Promise<Place | undefined>
  close(): void
}

interface Count {
  readonly total: number
  /** Milliseconds until the counter is reset. */
  readonly resetMs: number
}

export interface Place {
  /** Frees the place. Never rejects. */
  leave(): Promise<void>
}
