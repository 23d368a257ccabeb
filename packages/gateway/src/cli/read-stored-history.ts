import type { HistoryEntry } from '../inspection/api.ts'
import { createHistoryStore, type Period } from '../inspection/history/history-store.ts'
import { markMisses } from '../inspection/history/keep-history.ts'
import { periodOf, readTime, TIME_FORMAT } from '../inspection/history/read-period.ts'
import type { CommandCall } from './command.ts'
import { findConfigFile } from './find-config.ts'
import { historyFolderOf } from './history-folder.ts'
import { UsageError } from './usage-error.ts'

export interface StoredHistory {
  readonly period: Period
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[]
}

/**
 * Reads what gateways with the command's configuration file have recorded. Needs no running gateway.
 *
 * @throws UsageError
 */
export async function readStoredHistory(
  { values, env }: Pick<CommandCall, 'values' | 'env'>,
  defaultSince: string,
  now: number = Date.now(),
): Promise<StoredHistory> {
  const since = readOption('since', values.since ?? defaultSince, now)
  const until = values.until === undefined ? now + 1 : readOption('until', values.until, now)
  const period = periodOf(since, until)
  if (!period) throw new UsageError('--since must be before --until.')
  const store = createHistoryStore(historyFolderOf(findConfigFile({ values, env }), env))
  return { period, entries: markMisses(await store.read(period), { now }) }
}

function readOption(name: string, value: unknown, now: number): number {
  const time = readTime(String(value), now)
  if (time !== undefined) return time
  throw new UsageError(`Invalid --${name} "${value}": use ${TIME_FORMAT}.`)
}
