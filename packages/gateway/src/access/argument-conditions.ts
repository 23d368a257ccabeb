import type { ArgumentValue } from '../config/team-config.ts'
import { matchesPattern, type NamePattern, readPattern } from './name-pattern.ts'

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
 */
export function meetsConditions(
  conditions: ArgumentConditions,
  args: Readonly<Record<string, unknown>>,
): boolean {
  return conditions.every((condition) => {
    const found = valuesAt(args, condition.path)
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
 * The name of a parameter can contain a dot itself; if both readings exist, both must be permitted.
 */
function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] | undefined {
  if (path.length === 0) return [value]
  if (Array.isArray(value)) {
    const items = value.map((item) => valuesAt(item, path))
    return items.every((item) => item !== undefined) ? items.flat() : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown[] = []
  for (let length = 1; length <= path.length; length++) {
    const key = path.slice(0, length).join('.')
    if (!Object.hasOwn(value, key)) continue
    const inner = valuesAt((value as Record<string, unknown>)[key], path.slice(length))
    if (inner === undefined) return undefined
    found.push(...inner)
  }
  return found.length > 0 ? found : undefined
}
