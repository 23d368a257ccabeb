import type { RefusedRequest } from '../serving/http/guarded-server.ts'
import type { AuditLog } from './audit-log.ts'
import { clipText } from './clip-text.ts'

/** Enough to notice an attack, and too few to fill a disk. */
const MAX_PER_MINUTE = 60

/** Records requests with wrong credentials. Beyond a number per minute, they are only counted. */
export function recordRefusedSignIns(
  log: Pick<AuditLog, 'record'>,
  now: () => number = Date.now,
): (refused: RefusedRequest) => void {
  let minute = 0
  let recorded = 0
  let skipped = 0
  return ({ path, status, message, cause, claimed }) => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      minute = current
      recorded = 0
    }
    if (recorded >= MAX_PER_MINUTE) {
      skipped += 1
      return
    }
    recorded += 1
    log.record({
      kind: 'admin',
      person: 'unknown',
      ...(claimed !== undefined && { claimed: clipText(claimed, 300) }),
      action: 'sign-in.refused',
      outcome: 'denied',
      reason: clipText(message, 500),
      detail: {
        path: clipText(path, 200),
        status,
        ...(cause !== undefined && { cause }),
        ...(skipped > 0 && { skippedBefore: skipped }),
      },
    })
    skipped = 0
  }
}
