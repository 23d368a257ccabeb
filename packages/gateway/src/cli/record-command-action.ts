import { userInfo } from 'node:os'
import { createAuditLog } from '../audit/audit-log.ts'
import type { CommandCall } from './command.ts'
import { openAuditForCommand } from './open-audit-for-command.ts'

/** A hundred years. */
const NEVER = 36_500

interface CommandAction {
  /** Such as `key.create`. */
  readonly action: string
  /** What it was done to. */
  readonly names: readonly string[]
}

/**
 * Records what somebody did on the command line, if the audit log is on. The action has taken effect, so a
 * log that cannot be written is only reported.
 */
export async function recordCommandAction(
  call: CommandCall,
  { action, names }: CommandAction,
): Promise<void> {
  if (names.length === 0) return
  try {
    const { store, isOn, close } = await openAuditForCommand(call)
    try {
      if (!isOn) return
      // Deleting old entries is left to gateways.
      const log = createAuditLog(store, { days: () => NEVER })
      const user = userInfo().username
      await Promise.all(
        names.map((name) =>
          log.storeNow({
            kind: 'admin',
            person: `command ${encodeURIComponent(user)}`,
            name: user,
            action,
            target: { kind: 'meta', name },
            outcome: 'ok',
          }),
        ),
      )
      await log.close()
    } finally {
      await close()
    }
  } catch (error) {
    call.terminal.say(`This could not be recorded in the audit log: ${(error as Error).message}`)
  }
}
