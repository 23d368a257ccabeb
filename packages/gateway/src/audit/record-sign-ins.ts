import type { Person } from '../identity/person.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { actorOf } from './audit-gate.ts'
import type { AuditLog } from './audit-log.ts'
import { clipText } from './clip-text.ts'

/** If more people than that use a replica, the sign-in of some is recorded again. */
const MAX_KNOWN = 100_000

/**
 * Records the first request that this process receives with a token, an API key or a browser session.
 * Returns a function for every request.
 */
export function recordSignIns(
  log: Pick<AuditLog, 'record'>,
): (person: Person, path: string) => void {
  // Credentials that were checked before mostly have the same object, so this is the quick way.
  const seen = new WeakSet<Person>()
  const known = createBoundedMap<string, true>(MAX_KNOWN)
  return (person, path) => {
    if (seen.has(person)) return
    seen.add(person)
    const { id, issuer, token, expiresAt } = person
    const credential = issuer === 'key' ? 'key' : token === undefined ? 'browser' : 'token'
    const key = `${credential} ${expiresAt} ${id}`
    if (known.get(key)) return
    known.set(key, true)
    log.record({
      kind: 'admin',
      ...actorOf(person),
      action: 'sign-in',
      outcome: 'ok',
      detail: {
        credential,
        path: clipText(path, 200),
        ...(expiresAt !== undefined && { expires: new Date(expiresAt).toISOString() }),
      },
    })
  }
}
