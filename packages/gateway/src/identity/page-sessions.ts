import type { IdentityConfig } from '../config/team-config.ts'
import { createCookie } from './cookies.ts'
import { isSameIssuer } from './issuer-metadata.ts'
import { clientOf } from './page-client.ts'
import type { Person } from './person.ts'
import { roleOf } from './role-of.ts'
import type { SealedRecords } from './sealed-records.ts'

/** People who have signed in with a browser. All replicas know them. */
export interface PageSessions {
  /** Resolves to the `Set-Cookie` header for the browser. */
  open(person: Person): Promise<string>
  /** Whose browser it is. Undefined without a session. Rejects if the state cannot be reached. */
  find(cookieHeader: string | undefined): Promise<Person | undefined>
  /** Ends the session of a request. Resolves to the `Set-Cookie` header that removes the cookie. */
  close(request: Request): Promise<string>
}

export interface PageSessionsOptions {
  readonly config: IdentityConfig
  readonly records: SealedRecords<Person>
  readonly now: () => number
}

/** The provider, which people stay signed in to, is asked again after this time. */
const MAX_MS = 3_600_000

export function createPageSessions({
  config: { url, issuers, administrators },
  records,
  now,
}: PageSessionsOptions): PageSessions {
  const cookie = createCookie('toolsearch', url)
  return {
    async open(person) {
      const expiresAt = Math.min(person.expiresAt ?? Number.POSITIVE_INFINITY, now() + MAX_MS)
      const remaining = Math.max(1_000, expiresAt - now())
      const about = { owner: person.id, ttlMs: remaining }
      const secret = await records.add({ ...person, expiresAt }, about)
      return cookie.set(secret, Math.ceil(remaining / 1_000))
    },
    async find(header) {
      const secret = cookie.read(header)
      const person = secret === undefined ? undefined : await records.read(secret)
      if (!person || (person.expiresAt ?? 0) <= now()) return undefined
      // The configuration may have changed since.
      if (!issuers.some((each) => clientOf(each) && isSameIssuer(each.issuer, person.issuer))) {
        return undefined
      }
      return { ...person, role: roleOf(person, administrators) }
    },
    async close(request) {
      const secret = cookie.read(request.headers.get('cookie'))
      if (secret !== undefined) await records.remove(secret)
      return cookie.clear()
    },
  }
}
