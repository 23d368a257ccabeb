import type { Period } from '../inspection/history/history-store.ts'
import { periodOf, readTime, TIME_FORMAT } from '../inspection/history/read-period.ts'
import type { CommandCall } from './command.ts'
import { UsageError } from './command-errors.ts'

/** The period of `--since` and `--until`. @throws UsageError */
export function readPeriodOptions(
  { since, until }: CommandCall['values'],
  defaultSince: string,
  now: number = Date.now(),
): Period {
  const period = periodOf(
    readOption('since', since ?? defaultSince, now),
    until === undefined ? now + 1 : readOption('until', until, now),
  )
  if (!period) throw new UsageError('--since must be before --until.')
  return period
}

function readOption(name: string, value: unknown, now: number): number {
  const time = readTime(String(value), now)
  if (time !== undefined) return time
  throw new UsageError(`Invalid --${name} "${value}": use ${TIME_FORMAT}.`)
}
