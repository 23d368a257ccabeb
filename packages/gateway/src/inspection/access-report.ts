import type { Access } from '../access/create-access.ts'
import { type Effect, effectOf } from '../access/effect.ts'
import type { Caller } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import { judged } from '../offering/visible-tools.ts'

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
  /** All tools that the gateway offers to anybody, in the order of their names. */
  readonly tools: readonly ToolAccess[]
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
}

export function accessReport(
  access: Pick<Access, 'rightsOf'>,
  { toolSearch, origin }: Pick<Gateway, 'toolSearch' | 'origin'>,
  caller: Caller,
): AccessReport {
  const rights = access.rightsOf(caller)
  const { id, subject, groups } = caller.person
  const tools = toolSearch.catalogue.sorted().flatMap(({ name }): ToolAccess[] => {
    const found = origin(name)
    if (!found) return []
    const tool = judged(found)
    const { isAllowed, reason } = rights.tool(tool)
    const { server } = found
    return [{ name, server, tool: tool.name, effect: effectOf(tool), isAllowed, reason }]
  })
  return {
    person: { id, subject, groups },
    ...(caller.profile !== undefined && { profile: caller.profile }),
    allowed: tools.filter(({ isAllowed }) => isAllowed).length,
    tools,
  }
}
