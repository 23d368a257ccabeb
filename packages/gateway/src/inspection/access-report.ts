import type { Access } from '../access/create-access.ts'
import { type Effect, effectOf } from '../access/effect.ts'
import type { Rights } from '../access/rights.ts'
import type { Caller } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import { decisionOn, judged } from '../offering/visible-tools.ts'

/** What one person may use and why, for administrators. */
export interface AccessReport {
  readonly person: {
    readonly id: string
    readonly subject: string
    readonly groups: readonly string[]
  }
  readonly profile?: string
  /** How many of the tools are allowed. */
  readonly allowed: number
  /** All tools that the gateway is known to offer to anybody, in the order of their names. */
  readonly tools: readonly ToolAccess[]
  /** Servers with credentials of people whose tools are not known, because nobody has connected yet. */
  readonly servers: readonly ServerAccess[]
}

/** What a person may use of a server whose tools are not known. */
interface ServerAccess {
  readonly server: string
  /** `all` and `nothing` are certain. `some`: it depends on the tool. */
  readonly allows: 'all' | 'some' | 'nothing'
  readonly reason: string
}

export interface ToolAccess {
  /** The name that agents see. */
  readonly name: string
  readonly server: string
  /** The name on the server, which rules use. */
  readonly tool: string
  readonly effect: Effect
  readonly isAllowed: boolean
  /** The rule, policy, profile or credential that decided. */
  readonly reason: string
  /** The alternatives, if it may be called with some arguments only. */
  readonly withArguments?: readonly string[]
}

/** Servers that run with credentials of people, so that their tools are not in the catalogue. */
export interface PersonalServers {
  /** Tools that somebody's server has sent, as the gateway offers them. */
  readonly known: readonly ToolOrigin[]
  /** The names of the servers of which no tools are known. */
  readonly unknown: readonly string[]
}

export function accessReport(
  access: Pick<Access, 'rightsOf'>,
  { toolSearch, origin }: Pick<Gateway, 'toolSearch' | 'origin'>,
  caller: Caller,
  { known, unknown }: PersonalServers = { known: [], unknown: [] },
): AccessReport {
  const rights = access.rightsOf(caller)
  const { id, subject, groups } = caller.person
  const shared = toolSearch.catalogue.sorted().flatMap(({ name }) => origin(name) ?? [])
  const tools = [...shared, ...known].map((found): ToolAccess => {
    const tool = judged(found)
    const { isAllowed, reason, withArguments } = decisionOn(rights, found)
    const { name, server } = found
    return {
      name,
      server,
      tool: tool.name,
      effect: effectOf(tool),
      isAllowed,
      reason,
      ...(withArguments && { withArguments }),
    }
  })
  return {
    person: { id, subject, groups },
    ...(caller.profile !== undefined && { profile: caller.profile }),
    allowed: tools.filter(({ isAllowed }) => isAllowed).length,
    tools: tools.sort((one, other) => (one.name < other.name ? -1 : 1)),
    servers: unknown.map((server) => serverAccess(rights, server)),
  }
}

function serverAccess(rights: Rights, server: string): ServerAccess {
  const { isAllowed, reason } = rights.server(server)
  const some = rights.reaches(server, 'tool') ? 'some' : 'nothing'
  return { server, allows: isAllowed ? 'all' : some, reason }
}
