import type { StoredSession } from '../stores/stored-session.ts'
import { type LoadedEvent, type Report, reporting, type ToolSearchEvents } from './events.ts'
import type { RemovalTracker } from './removal-tracker.ts'
import type { ToolDivision } from './tool-division.ts'

/** Reports what happens in a conversation to its handlers. */
export interface SessionReports {
  /** Runs the work of one method. Rejects afterwards if a handler has thrown. */
  during<Result>(work: (report: Report) => Promise<Result>): Promise<Result>
  loaded(names: readonly string[], by: LoadedEvent['by'], report: Report): Promise<void>
  /** Reports the loaded tools that disappeared since the last turn. */
  removed(): Promise<void>
}

export interface SessionReportsOptions {
  readonly stored: StoredSession
  /** In the order in which they are called. */
  readonly handlers: readonly ToolSearchEvents[]
  /** Only needed if a handler listens to `onRemoved`. */
  readonly removals?: RemovalTracker | undefined
  readonly divide: () => ToolDivision
}

export function createSessionReports({
  stored,
  handlers,
  removals,
  divide,
}: SessionReportsOptions): SessionReports {
  const reports: SessionReports = {
    during: (work) => reporting(stored.id, handlers, work),
    async loaded(names, by, report) {
      if (names.length === 0) return
      removals?.add(stored.id, names)
      const tools = names.flatMap((name) => divide().get(name) ?? [])
      await report('onLoaded', { tools, by })
    },
    async removed() {
      if (removals === undefined) return
      await stored.refresh()
      const loaded = stored.record.loaded.map(({ name }) => name)
      const isUsable = (name: string) => divide().get(name) !== undefined
      const names = removals.update(stored.id, loaded, isUsable)
      if (names.length > 0) await reports.during((report) => report('onRemoved', { names }))
    },
  }
  return reports
}
