/**
 * The numbers behind limits, in the memory of this process or in Redis. `limit-counters.cases.ts` is the
 * contract. Methods reject with `StateUnavailableError` if Redis cannot be reached. They answer at once if
 * nobody has to be asked, because every call passes here.
 */
export interface LimitCounters {
  /**
   * Takes one call from the budget of a period, which starts with its first call. Over all processes, no
   * period ever gets more than `max` calls, and no call is refused while there are fewer.
   */
  take(key: string, budget: Budget): TakenCall | Promise<TakenCall>
  /**
   * Adds to a counter, which starts at zero and is reset one period after its first use. An amount of
   * zero only reads it.
   */
  add(key: string, amount: number, periodSeconds: number): Count | Promise<Count>
  /**
   * Takes one of `max` places, unless all are taken. The places of a process that dies become free when
   * its leases end.
   */
  enter(key: string, max: number): Place | undefined | Promise<Place | undefined>
  close(): void
}

export interface Budget {
  /** Always the same for the same key. */
  readonly max: number
  readonly periodSeconds: number
}

export type TakenCall =
  | {
      readonly isTaken: true
      /** Gives the call back because it was not executed. Never throws. */
      undo(): void
    }
  | {
      readonly isTaken: false
      /** Milliseconds until the next period. */
      readonly resetMs: number
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
