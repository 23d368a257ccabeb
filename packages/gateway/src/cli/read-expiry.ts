import { UsageError } from './command-errors.ts'

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * When something expires, in milliseconds since 1970; undefined for never.
 *
 * @throws UsageError
 */
export function readExpiry(value: unknown, now: number): number | undefined {
  const text = String(value)
  if (text === 'never') return undefined
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const at =
    amount !== undefined && unit !== undefined
      ? now + Number(amount) * UNITS[unit]!
      : DAY.test(text)
        ? Date.parse(text)
        : Number.NaN
  if (at > now) return at
  throw new UsageError(
    `Invalid --expires "${text}": use a time such as 12h or 30d, a date in the future, or never.`,
  )
}
