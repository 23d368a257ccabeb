import type { HistoryEntry } from '../inspection/api.ts'
import { createHistoryStore, type Period } from '../inspection/history/history-store.ts'
import { markMisses } from '../inspection/history/keep-history.ts'
import { CommandFailure } from './command-errors.ts'
import { type ConfigCall, findConfigFile } from './find-config.ts'
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
  call: ConfigCall,
  defaultSince: string,
  now: number = Date.now(),
): Promise<StoredHistory> {
  const period = readPeriodOptions(call.values, defaultSince, now)
  const file = findConfigFile(call)
  const read = await readPostgres(call, period)
  const entries = read ?? (await createHistoryStore(historyFolderOf(file, call.env)).read(period))
  return { period, entries: markMisses(entries, { now }) }
}

/** Undefined if the history is in files, which needs no valid configuration. */
async function readPostgres(call: ConfigCall, period: Period): Promise<HistoryEntry[] | undefined> {
  const { loadConfig } = await import('../config/load-config.ts')
  const read = await loadConfig(findConfigFile(call), { env: call.env })
  const config = 'config' in read ? read.config : read.usable
  if (config?.state.postgres === undefined) return undefined
  const { openCommandRecords } = await import('./open-command-records.ts')
  const { postgres, close } = await openCommandRecords(call)
  const store = postgres!.openHistory()
  try {
    const entries = await store.read(period)
    if (!store.isWorking) throw new CommandFailure('The database cannot be reached.')
    return entries
  } finally {
    await close()
  }
}
