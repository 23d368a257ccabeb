import { LOCAL_PERSON, type Person } from './person.ts'

/** A person who uses the gateway through one of its addresses. */
export interface Caller {
  readonly person: Person
  /** The name of the profile in the address; undefined for `/mcp` itself. */
  readonly profile?: string
}

export const LOCAL_CALLER: Caller = { person: LOCAL_PERSON }

/** The shape in which the MCP SDK passes on who sent a request. */
export interface CallerInfo {
  readonly token: string
  readonly clientId: string
  readonly scopes: string[]
  readonly extra?: Record<string, unknown>
}

/** Wraps a caller for the MCP SDK. Without the token: only the person carries it, where it is needed. */
export function callerInfo(caller: Caller): CallerInfo {
  return { token: '', clientId: caller.person.id, scopes: [], extra: { caller } }
}

/** The caller that `callerInfo` wrapped. Over stdio, where there is none, the person at the machine. */
export function callerOf(authInfo: Pick<CallerInfo, 'extra'> | undefined): Caller {
  return (authInfo?.extra?.caller as Caller | undefined) ?? LOCAL_CALLER
}

/** Whether two callers are the same person at the same address. */
export function isSameCaller(one: Caller, other: Caller): boolean {
  return one.person.id === other.person.id && one.profile === other.profile
}
