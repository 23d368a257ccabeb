const FIRST_MS = 500
const LONGEST_MS = 60_000

/**
 * How long to wait before the next attempt: twice as long each time, and a random part of it, so that
 * many servers that went down together do not come back together.
 */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 20))
  return whole / 2 + (whole / 2) * random()
}
