import { type Caller, LOCAL_CALLER } from '../identity/caller.ts'
import { LOCAL_PERSON } from '../identity/person.ts'
import type { CallOptions } from './gateway-view.ts'

/** Who may read the rest of a truncated result. */
export function readerOf({ client, caller = LOCAL_CALLER }: CallOptions): string {
  return isLocal(caller) ? (client?.id ?? '') : `${caller.person.id} ${client?.id ?? ''}`
}

/** The person who is a reader. The person at this machine has one name for each client. */
export function personOf(reader: string): string {
  return reader.split(' ', 2).join(' ')
}

/** Whether a caller is the person at this machine, on a gateway without identity. */
export function isLocal({ person }: Caller): boolean {
  return person.id === LOCAL_PERSON.id
}
