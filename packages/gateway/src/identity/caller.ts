import { LOCAL_PERSON, type Person } from './person.ts'

/** A person who uses the gateway through one of its addresses. */
export interface Caller {
  readonly person: Person
  /** The name of the profile in the address; undefined for `/mcp` itself. */
  readonly profile?: string
}

export const LOCAL_CALLER: Caller = { person: LOCAL_PERSON }
