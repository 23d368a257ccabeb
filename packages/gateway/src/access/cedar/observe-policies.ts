import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { isObject } from './is-object.ts'

/**
 * What policies can tell apart. People and tools that no policy can tell apart get the same decisions, so
 * that ten thousand people and five thousand tools need few of them.
 */
export interface Observations {
  /** The ids that policies mention, by type: `Group`, `Person`, `Server`, `Tool`, … */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether a policy looks at more of a person than the groups and the id. */
  readonly seesPeople: boolean
  /** Whether a policy looks at more of a tool, resource or prompt than server, id and effect. */
  readonly seesNames: boolean
  /** Whether a policy looks at the name of a server, in addition to those it mentions. */
  readonly seesServers: boolean
  /** Whether a policy looks at the arguments of a call. */
  readonly seesArguments: boolean
}

const TYPES = ['Person', 'Group', 'Tool', 'Resource', 'Prompt', 'Skill', 'Server', 'Action']
const ACTIONS = ['use', 'call', 'read', 'get']
/** Attributes of resources that do not tell tools of the same server and effect apart. */
const COARSE = new Set(['effect', 'openWorld'])

export function observePolicies(policies: readonly PolicyJson[]): Observations {
  const ids = new Map<string, Set<string>>()
  for (const policy of policies) {
    for (const { type, id } of mentionedEntities(policy)) {
      const known = ids.get(type)
      if (known) known.add(id)
      else ids.set(type, new Set([id]))
    }
  }
  const seen = policies.flatMap(({ conditions }) => conditions.flatMap(({ body }) => uses(body)))
  return {
    ids,
    seesPeople: seen.includes('principal'),
    seesNames: seen.includes('resource'),
    seesServers: seen.includes('server'),
    seesArguments: policies.some(seesContext),
  }
}

export function seesContext({ conditions }: Pick<PolicyJson, 'conditions'>): boolean {
  return conditions.some(({ body }) => mentionsContext(body))
}

export function mentionsContext(expression: unknown): boolean {
  return uses(expression).includes('context')
}

/** Types and actions that do not exist, so that the policy could never apply as it was meant. */
export function unknownNames(policy: PolicyJson): { message: string; fix: string }[] {
  const entities = mentionedEntities(policy)
  const types = [...new Set([...entities.map(({ type }) => type), ...mentionedTypes(policy)])]
  const actions = entities.filter(({ type }) => type === 'Action').map(({ id }) => id)
  return [
    ...types
      .filter((type) => !TYPES.includes(type))
      .map((type) => ({
        message: `The entity type ${type} does not exist.`,
        fix: `Write one of ${TYPES.join(', ')}.`,
      })),
    ...actions
      .filter((action) => !ACTIONS.includes(action))
      .map((action) => ({
        message: `The action ${JSON.stringify(action)} does not exist.`,
        fix: `Write one of ${ACTIONS.map((name) => `Action::"${name}"`).join(', ')}.`,
      })),
  ]
}

/** The groups that a policy names. */
export function groupsIn(policy: PolicyJson): readonly string[] {
  const groups = mentionedEntities(policy).filter(({ type }) => type === 'Group')
  return [...new Set(groups.map(({ id }) => id))]
}

interface Entity {
  readonly type: string
  readonly id: string
}

function mentionedEntities(value: unknown): Entity[] {
  if (Array.isArray(value)) return value.flatMap(mentionedEntities)
  if (!isObject(value)) return []
  const { type, id } = value
  const isEntity = typeof type === 'string' && typeof id === 'string'
  return [...(isEntity ? [{ type, id }] : []), ...Object.values(value).flatMap(mentionedEntities)]
}

function mentionedTypes(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mentionedTypes)
  if (!isObject(value)) return []
  const { entity_type: type } = value
  return [
    ...(typeof type === 'string' ? [type] : []),
    ...Object.values(value).flatMap(mentionedTypes),
  ]
}

/** The variables of which an expression sees more than what is compared with entities it names. */
function uses(expression: unknown): string[] {
  if (Array.isArray(expression)) return expression.flatMap(uses)
  if (!isObject(expression)) return []
  if (typeof expression.Var === 'string') return [expression.Var]
  const [operator] = Object.keys(expression)
  const operand = operator === undefined ? undefined : expression[operator]
  if (isObject(operand)) {
    const { left, right } = operand
    const isComparison = operator === '==' || operator === '!=' || operator === 'in'
    if (isComparison && isVariable(left) && isLiteral(right)) return []
    if (isComparison && operator !== 'in' && isLiteral(left) && isVariable(right)) return []
    if (operator === 'is' && isVariable(left)) return uses(operand.in)
    const isAttribute = operator === '.' || operator === 'has'
    if (isAttribute && isVariable(left, 'resource')) {
      return [operand.attr].flat().flatMap((attr) => attributeUse(String(attr)))
    }
  }
  return Object.values(expression).flatMap(uses)
}

function attributeUse(attribute: string): string[] {
  if (COARSE.has(attribute)) return []
  return [attribute === 'server' ? 'server' : 'resource']
}

function isVariable(expression: unknown, name?: string): boolean {
  if (!isObject(expression) || typeof expression.Var !== 'string') return false
  const isKnown = expression.Var === 'principal' || expression.Var === 'resource'
  return name === undefined ? isKnown : expression.Var === name
}

/** An entity that is written out, or a set of them. */
function isLiteral(expression: unknown): boolean {
  if (!isObject(expression)) return false
  if ('Value' in expression) return true
  return Array.isArray(expression.Set) && expression.Set.every(isLiteral)
}
