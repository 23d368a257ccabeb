import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'

/** A person, by the id and the groups that policies use. */
export interface PolicyPerson {
  readonly id: string
  readonly groups: readonly string[]
}

type Constraint = PolicyJson['principal'] | PolicyJson['resource']

/**
 * Whether a `forbid` can be about a person and something of a server, whatever its conditions are. The
 * texts of a server can mention everything of it, so only people whom nothing is forbidden get them.
 */
export function mayForbid(policy: PolicyJson, person: PolicyPerson, server: string): boolean {
  const isPerson = (type: string, id: string) =>
    type === 'Group' ? person.groups.includes(id) : type === 'Person' && id === person.id
  const isOnServer = (type: string, id: string) =>
    type === 'Server' ? id === server : id.startsWith(`${server}/`)
  return permits(policy.principal, isPerson) && permits(policy.resource, isOnServer)
}

function permits(constraint: Constraint, isMeant: (type: string, id: string) => boolean): boolean {
  const named = constraint.op === 'is' ? constraint.in : constraint
  if (!named || !('entity' in named)) return true
  const { type, id } = '__entity' in named.entity ? named.entity.__entity : named.entity
  return isMeant(type, id)
}
