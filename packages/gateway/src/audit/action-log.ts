import { type AuditedAction, actionEntry } from './action-entry.ts'
import type { AuditLog, AuditStart } from './audit-log.ts'

/** Records what people do to the gateway. */
export interface ActionLog {
  /**
   * Prepares the record of an action that is about to take effect. Resolves to a function that records its end.
   * Both reject if the audit log is required and cannot be written: then the action must not take effect, or its
   * result must be withheld.
   */
  begin(action: AuditedAction): Promise<(end?: ActionEnd) => Promise<void>>
  /** Records an action that has ended, and had no effect that needs a record. Never throws. */
  record(action: AuditedAction): void
}

type ActionEnd = Pick<AuditedAction, 'error' | 'isDenied'>

/** The audit log is required and cannot be written. The message is for people. */
class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError'
  readonly code = 'audit_unavailable'
}

const REFUSED =
  'The gateway cannot write its audit log, so nothing was done. Try again in a minute.'
const WITHHELD =
  'This was done, but the gateway could not record it in its audit log. Do not repeat it.'

/** @param isRequired called for each action, because people edit the configuration */
export function createActionLog(
  log: Pick<AuditLog, 'record' | 'storeNow'>,
  isRequired: () => boolean,
): ActionLog {
  return {
    async begin(action) {
      if (!isRequired()) return async (end) => log.record(actionEntry({ ...action, ...end }))
      const entry = { ...actionEntry(action), outcome: 'unknown' } as const
      const start: AuditStart = await log.storeNow(entry).catch(() => {
        throw new AuditUnavailableError(REFUSED)
      })
      return async (end) => {
        const ended = actionEntry({ ...action, ...end })
        await log.storeNow(ended, start).catch(() => {
          log.record(ended, start)
          throw new AuditUnavailableError(WITHHELD)
        })
      }
    },
    record: (action) => log.record(actionEntry(action)),
  }
}
