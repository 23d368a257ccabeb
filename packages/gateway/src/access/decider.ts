import { type Decision, REACHED_KINDS, type ReachedKind, type Rights } from './rights.ts'

/** One of the things that must all allow a request: rules, policies, a profile, a credential. */
export interface Decider extends Omit<Rights, 'key' | 'reaches'> {
  reaches(server: string, kind: ReachedKind): boolean
}

/** The rights that a decider gives. */
export function rightsBy(decider: Decider, key: string): Rights {
  return {
    ...decider,
    key,
    reaches: (server, kind) =>
      (kind ? [kind] : REACHED_KINDS).some((each) => decider.reaches(server, each)),
  }
}

export function allowed(reason: string): Decision {
  return { isAllowed: true, reason }
}

export function denied(reason: string): Decision {
  return { isAllowed: false, reason }
}

/** Denies everything. */
export function deniesAll(reason: string): Decider {
  const decision = denied(reason)
  const decide = () => decision
  return {
    tool: decide,
    call: decide,
    resource: decide,
    prompt: decide,
    skill: decide,
    server: decide,
    reaches: () => false,
  }
}

/**
 * Allows what all of them allow. Gives the decision of the first one that denies, otherwise of the first
 * one that requires certain arguments, otherwise of the first.
 */
export function allOf(deciders: readonly Decider[]): Decider {
  const [only] = deciders
  if (only && deciders.length === 1) return only

  function decide(ask: (decider: Decider) => Decision): Decision {
    let first: Decision | undefined
    let conditional: Decision | undefined
    for (const decider of deciders) {
      const decision = ask(decider)
      if (!decision.isAllowed) return decision
      first ??= decision
      if (decision.withArguments) conditional ??= decision
    }
    return conditional ?? first ?? denied('nothing decides')
  }

  return {
    tool: (tool) => decide((each) => each.tool(tool)),
    call: (tool, args) => decide((each) => each.call(tool, args)),
    resource: (resource) => decide((each) => each.resource(resource)),
    prompt: (prompt) => decide((each) => each.prompt(prompt)),
    skill: (skill) => decide((each) => each.skill(skill)),
    server: (server) => decide((each) => each.server(server)),
    reaches: (server, kind) =>
      deciders.length > 0 && deciders.every((each) => each.reaches(server, kind)),
  }
}
