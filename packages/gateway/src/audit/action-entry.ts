import type { Person } from '../identity/person.ts'
import { actorOf } from './audit-gate.ts'
import type { NewAuditEntry } from './audit-log.ts'
import { clipText } from './clip-text.ts'
import { recordArguments } from './record-arguments.ts'

/** Something that a person did to the gateway, or tried to. */
export interface AuditedAction {
  readonly person: Pick<Person, 'id' | 'name' | 'email' | 'groups'>
  /** Such as `key.create`. */
  readonly action: string
  /** The tool, server or key that it is about. */
  readonly name?: string
  /** The server of an account. */
  readonly server?: string
  /** What was requested. Secrets are left out. */
  readonly body?: unknown
  /** Why it failed. */
  readonly error?: string
  readonly isDenied?: boolean
}

const MAX_TEXT = 1_000

/** The audit entry of an administrative action. */
export function actionEntry(action: AuditedAction): NewAuditEntry {
  const { person, name, server, body, error, isDenied } = action
  const request = recordArguments(body, { how: 'redacted', mask: (text) => text })
  return {
    kind: 'admin',
    ...actorOf(person),
    action: clipText(action.action, MAX_TEXT),
    ...(name !== undefined && { target: { kind: 'meta', name: clipText(name, MAX_TEXT) } }),
    outcome: error === undefined ? 'ok' : isDenied ? 'denied' : 'failed',
    ...(error !== undefined && { error: clipText(error, MAX_TEXT) }),
    ...(server !== undefined && { detail: { server } }),
    ...(request !== undefined && { detail: { request } }),
  }
}
