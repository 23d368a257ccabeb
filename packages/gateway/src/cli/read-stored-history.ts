import type { HistoryEntry } from '../inspection/api.ts'
import { createHistoryStore, type Period } from '../inspection/history/history-store.ts'
import { markMisses } from '../inspection/history/keep-history.ts'
import type { CommandCall } from './command.ts'
import { findConfigFile } from './find-config.ts'
import { historyFolderOf } from './history-folder.ts'
import { readPeriodOptions } from './read-period-options.ts'

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
  const period = readPeriodOptions(values, defaultSince, now)
  const store = createHistoryStore(historyFolderOf(findConfigFile({ values, env }), env))
  return { period, entries: markMisses(await store.read(period), { now }) }
}
