import type { Clause, Expr, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { isObject } from './is-object.ts'
import { mentionsContext, seesContext } from './observe-policies.ts'

/**
 * A policy as it decides whether a tool is visible: whether some call could be allowed. Nothing is known
 * about the arguments, so a `permit` loses its conditions about them, and a `forbid` that has some
 * does not apply. Undefined for the latter.
 */
export function visiblePolicy(policy: PolicyJson): PolicyJson | undefined {
  if (!seesContext(policy)) return policy
  if (policy.effect === 'forbid') return undefined
  return { ...policy, conditions: policy.conditions.flatMap(withoutContext) }
}

function withoutContext(clause: Clause): Clause[] {
  if (clause.kind === 'unless') return mentionsContext(clause.body) ? [] : [clause]
  const body = knownPart(clause.body)
  return body ? [{ ...clause, body }] : []
}

/** The parts of a conjunction that can be decided without arguments. */
function knownPart(expression: Expr): Expr | undefined {
  if (!mentionsContext(expression)) return expression
  const both: unknown = '&&' in expression ? expression['&&'] : undefined
  if (!isObject(both)) return undefined
  const left = knownPart(both.left as Expr)
  const right = knownPart(both.right as Expr)
  return left && right ? { '&&': { left, right } } : (left ?? right)
}
