import type { Person } from '../identity/person.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The servers that run with a person's own credentials, in addition to those that everybody shares. */
export interface PersonServers {
  /**
   * The person's own upstreams, which no other person ever gets. The same set for each request of a
   * person, until the configuration changes or the person has been away for long. Call it for every
   * request: it also takes note of the person's current token. Undefined if no server needs
   * credentials of a person.
   *
   * A server connects on first use. Its `tools` and `skills` are known before that if the person used it
   * earlier. Two people whose server sends the same list have the same list, by reference.
   */
  serversFor(person: Person): UpstreamSet | undefined
}
