import type { RequestOutcome, RequestTarget } from '../serving/request-gate.ts'

/**
 * One line of the audit log: a request of an agent, or something that a person did to the gateway.
 * Plain data; every text is bounded in length.
 */
export interface AuditEntry extends AuditActor {
  /** Unique, and sorted by time. */
  readonly id: string
  /** When the request arrived, as an ISO date in UTC. */
  readonly at: string
  readonly kind: 'request' | 'admin'
  /** The MCP method, or an administrative action such as `key.create`. */
  readonly action: string
  /** By the names of the server, also if the request was denied. */
  readonly target?: RequestTarget
  readonly profile?: string
  /** The client program, as it names itself. */
  readonly client?: string
  /** The start of the session's id: the whole id would give access to the session. */
  readonly session?: string
  /** The script that the request ran, or that made it. Its requests have the same. */
  readonly script?: string
  /** `unknown`: the request was started, and its end is not recorded. */
  readonly outcome: RequestOutcome['outcome'] | 'unknown'
  /** The process that wrote the entry, such as `gateway-7f9c:1`. */
  readonly replica?: string
  /** Which rule or limit decided. */
  readonly reason?: string
  readonly error?: string
  readonly milliseconds?: number
  readonly requestBytes?: number
  readonly resultBytes?: number
  /** As the setting `audit.arguments` says. */
  readonly arguments?: unknown
  readonly searches?: readonly AuditedSearch[]
  /** Details of an administrative action. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Who did it. */
export interface AuditActor {
  /** The id of a `Person`. */
  readonly person: string
  readonly name?: string
  readonly email?: string
  readonly groups?: readonly string[]
  /** The id of the person whom refused credentials name. Nobody has verified it. */
  readonly claimed?: string
}

interface AuditedSearch {
  readonly query: string
  /** Names of the tools that were found, best first. Empty if nothing was found. */
  readonly hits: readonly string[]
}

export const AUDIT_OUTCOMES = ['ok', 'failed', 'denied', 'limited', 'cancelled', 'unknown'] as const

const END = '-end'

/** The id of the entry that replaces the one with which a request was started. Sorts directly after it. */
export function endId(startId: string): string {
  return `${startId}${END}`
}

/** The id of the entry that another one replaces. Undefined if it replaces none. */
export function startIdOf({ id }: Pick<AuditEntry, 'id'>): string | undefined {
  return id.endsWith(END) ? id.slice(0, -END.length) : undefined
}
