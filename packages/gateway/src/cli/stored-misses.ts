import { missReport } from '../inspection/activity/miss-report.ts'
import type { MissReport } from '../inspection/api.ts'
import type { ConfigCall } from './find-config.ts'
import { readStoredHistory } from './read-stored-history.ts'

/**
 * The missed searches in the history on disk. Without a gateway, the tools are unknown, and so are those
 * that no search found.
 *
 * @throws UsageError
 */
export async function storedMisses(call: ConfigCall, since: string): Promise<MissReport> {
  const { period, entries } = await readStoredHistory(call, since)
  const searches = entries.filter((entry) => entry.kind === 'search')
  return missReport(searches, ({ miss }) => miss, {
    tools: [],
    since: new Date(period.since).toISOString(),
    until: new Date(period.until).toISOString(),
  })
}
