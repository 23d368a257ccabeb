import type { Gateway } from '../offering/gateway.ts'

/** Why agents do not get a tool that people see. */
interface ApprovalNote {
  /** A word or two for lists. */
  readonly short: string
  readonly text: string
  readonly isWithheld: boolean
}

/** Notes on the tools that wait for approval, have changed or are blocked, by name. */
export function approvalNotes(
  gateway: Pick<Gateway, 'config' | 'waitingTools'>,
): ReadonlyMap<string, ApprovalNote> {
  const isWithheld = true
  const cannot = 'agents cannot find it'
  const notes = {
    new: { short: 'waits for approval', text: `waits for approval: ${cannot}`, isWithheld },
    blocked: { short: 'blocked', text: `blocked: ${cannot} until you accept it`, isWithheld },
    changed:
      gateway.config.approve === 'off'
        ? { short: 'changed', text: 'changed since it was approved', isWithheld: false }
        : { short: 'changed', text: `changed, waits for approval: ${cannot}`, isWithheld },
  }
  return new Map(gateway.waitingTools().map(({ name, kind }) => [name, notes[kind]]))
}
