import type { Period } from './history-store.ts'

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** What a point in time may look like, for messages. */
export const TIME_FORMAT = 'a duration such as 15m, 24h or 7d, or a date such as 2026-01-31'

/** Parses a date, or a duration before now. Returns `undefined` if it is neither. */
export function readTime(text: string, now: number): number | undefined {
  const [, amount, unit] = /^(\d{1,6})\s*([smhdw])$/i.exec(text.trim()) ?? []
  if (amount !== undefined) return now - Number(amount) * UNITS[unit!.toLowerCase()]!
  if (!/^\d{4}-\d\d/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** A period that ends after it starts, or `undefined`. */
export function periodOf(since: number, until: number): Period | undefined {
  return since < until ? { since, until } : undefined
}
