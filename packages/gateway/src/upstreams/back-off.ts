const FIRST_MS = 500
const LONGEST_MS = 60_000

/**
 * How long to wait before the next attempt, in milliseconds. Doubles with each attempt, and includes
 * jitter so that servers that failed together do not all reconnect at the same time.
 */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 20))
  return delay / 2 + (delay / 2) * random()
}
