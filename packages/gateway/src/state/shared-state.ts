/**
 * State that all replicas of a gateway share and that may be lost: sessions of older clients, long
 * results, counters, locks and announcements. In the memory of one process, or in Redis.
 *
 * Methods reject with `StateUnavailableError` while the store cannot be reached, after a short time;
 * callers decide whether they can do without. A write that was rejected may have happened.
 */
export interface SharedState {
  /** Whether other processes see the same state. */
  readonly isShared: boolean
  /** Undefined if there is no value, or if it has expired. */
  get(key: string): Promise<string | undefined>
  /** @param ttlMs how long to keep the value */
  set(key: string, value: string, ttlMs: number): Promise<void>
  /**
   * Replaces a value in one atomic step, also if several processes do so at the same time. `change` may
   * run several times. The value is deleted if it returns undefined. Resolves to the new value.
   */
  update(
    key: string,
    change: (value: string | undefined) => string | undefined,
    ttlMs: number,
  ): Promise<string | undefined>
  /** Keeps a value for longer. Resolves to false if there is none. */
  touch(key: string, ttlMs: number): Promise<boolean>
  /** Resolves to whether there was a value. */
  delete(key: string): Promise<boolean>
  /**
   * Runs one task at a time across all processes. A process that stops or freezes loses the lock when
   * its lease ends; `signal` is then aborted, and the task must not write anything afterwards.
   * `fence` increases with every lock of this name, for stores that can reject the writes of a process
   * that lost its lock without noticing.
   */
  withLock<Result>(
    name: string,
    task: (lock: { readonly signal: AbortSignal; readonly fence: number }) => Promise<Result>,
  ): Promise<Result>
  /** Sends a message to every subscriber, in all processes. Delivery is not guaranteed. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Runs the listener for each message until the returned function is called. `onGap` runs when
   * messages may have been missed, so that the listener can read the current state again. Resolves
   * even if the store cannot be reached: `onGap` then runs as soon as messages can arrive.
   */
  subscribe(
    channel: string,
    listener: (message: string) => void,
    onGap?: () => void,
  ): Promise<() => void>
  /**
   * Runs a Lua script of Redis, for counters that need one atomic step. The names of keys get the prefix
   * of the gateway. Absent if the state is in memory.
   */
  readonly runScript?: (
    script: string,
    keys: readonly string[],
    args: readonly string[],
  ) => Promise<unknown>
  /** Whether the store can be reached. Never rejects. */
  isAvailable(): Promise<boolean>
  close(): Promise<void>
}
