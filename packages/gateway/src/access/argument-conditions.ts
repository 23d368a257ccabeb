import type { ArgumentValue } from '../config/team-config.ts'
import { isObject } from '../protocol/json-object.ts'
import { matchesPattern, type NamePattern, readPattern } from './name-pattern.ts'
import { isReadAs } from './resembling-names.ts'

/** What a rule requires of the arguments of a call. All conditions must hold. */
export type ArgumentConditions = readonly ArgumentCondition[]

interface ArgumentCondition {
  /** The parts of a path such as `issue.project`. */
  readonly path: readonly string[]
  readonly patterns: readonly NamePattern[]
  readonly values: ReadonlySet<unknown>
}

export function readArgumentConditions(
  conditions: Readonly<Record<string, readonly ArgumentValue[]>>,
): ArgumentConditions {
  return Object.entries(conditions).map(([path, permitted]) => ({
    path: path.split('.'),
    patterns: permitted.filter((value) => typeof value === 'string').map(readPattern),
    values: new Set(permitted.filter((value) => typeof value !== 'string')),
  }))
}

/**
 * The conditions as a person would say them.
 *
 * @example describeConditions({ project: ['SUP', 'WEB-*'] }) // 'project is "SUP" or "WEB-*"'
 */
export function describeConditions(
  conditions: Readonly<Record<string, readonly ArgumentValue[]>>,
): string {
  return Object.entries(conditions)
    .map(([path, permitted]) => {
      const values = permitted.map((value) => JSON.stringify(value))
      return `${path} is ${values.join(' or ')}`
    })
    .join(' and ')
}

/**
 * Whether the arguments of a call meet all conditions. An argument that is missing meets none, and neither
 * does one that is a list itself. If a path leads through a list, every item must meet its condition.
 *
 * @param schema the schema of the arguments, as the server defines it
 */
export function meetsConditions(
  conditions: ArgumentConditions,
  args: Readonly<Record<string, unknown>>,
  schema: unknown,
): boolean {
  return conditions.every((condition) => {
    const found = valuesAt(args, condition.path, schema)
    return (
      found !== undefined && found.length > 0 && found.every((value) => permits(condition, value))
    )
  })
}

/** Types matter: the pattern `5` permits the text "5", and the number 5 permits the number. */
function permits({ patterns, values }: ArgumentCondition, value: unknown): boolean {
  if (typeof value === 'string') return patterns.some((pattern) => matchesPattern(pattern, value))
  return values.has(value)
}

/**
 * The values at a path. Undefined if it is missing somewhere: in an object, or in an item of a list.
 *
 * The server decides what it reads. So a name that contains a dot itself is only found if the schema has it:
 * otherwise the server would ignore it and use its default. All values that a server could read instead are
 * returned as well, such as that of `Project` for `project`: some ignore case.
 */
function valuesAt(
  value: unknown,
  path: readonly string[],
  schema: unknown,
): readonly unknown[] | undefined {
  if (path.length === 0) return [value]
  if (Array.isArray(value)) {
    const inner = isObject(schema) ? schema.items : undefined
    const items = value.map((item) => valuesAt(item, path, inner))
    return items.every((item) => item !== undefined) ? items.flat() : undefined
  }
  if (!isObject(value)) return undefined
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  const found: (readonly unknown[])[] = []
  let isFound = false
  for (let length = 1; length <= path.length; length++) {
    const wanted = path.slice(0, length).join('.')
    for (const key of Object.keys(value)) {
      const isDeclared = Object.hasOwn(properties, key)
      if (key !== wanted && (isDeclared || !isReadAs(key, wanted))) continue
      const property = isDeclared ? properties[key] : undefined
      const inner = valuesAt(value[key], path.slice(length), property)
      if (inner === undefined) return undefined
      found.push(inner)
      if (key === wanted && (length === 1 || isDeclared)) isFound = true
    }
  }
  return isFound ? found.flat() : undefined
}
