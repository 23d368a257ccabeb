import type { ErrorObject } from 'ajv'
import { isObject } from '../../protocol/json-object.ts'

const MAX_CHANGES = 100

/**
 * A copy of the arguments as lenient servers read them, or undefined if that makes no difference.
 * Where the type or the value is wrong, a text is read as JSON (`"5"` for a number, `"[1]"` for an array), and
 * null as a property that was left out. Python servers do both, and models write both.
 */
export function asServersRead(value: unknown, errors: readonly ErrorObject[]): unknown {
  const places = new Set(
    errors.flatMap(({ keyword, instancePath }) =>
      keyword === 'type' || keyword === 'enum' ? [instancePath] : [],
    ),
  )
  if (places.size === 0 || places.size > MAX_CHANGES || !isObject(value)) return undefined
  const copy = structuredClone(value)
  const changes = [...places].filter((place) => change(copy, place))
  return changes.length > 0 ? copy : undefined
}

function change(root: Record<string, unknown>, place: string): boolean {
  const keys = place.split('/').slice(1).map(unescapeKey)
  const last = keys.pop()
  if (last === undefined) return false
  const parent = keys.reduce<unknown>(
    (node, key) => (node as Record<string, unknown> | undefined)?.[key],
    root,
  ) as Record<string, unknown> | undefined
  const value = parent?.[last]
  if (parent === undefined) return false
  if (value === null && !Array.isArray(parent)) {
    delete parent[last]
    return true
  }
  if (typeof value !== 'string') return false
  try {
    parent[last] = JSON.parse(value)
    return true
  } catch {
    return false
  }
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}
