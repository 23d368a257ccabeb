/** A value that no request can contain. */
export interface UnsendableValue {
  /** A path such as `properties.limit.default`; empty for the value itself. */
  readonly path: string
  readonly problem: string
}

const MAX_DEPTH = 200

/** Finds the first part of a value that JSON cannot represent, such as a function, NaN or a cycle. */
export function findUnsendable(value: unknown): UnsendableValue | undefined {
  return isPlainJson(value, 0) ? undefined : locate(value, [], [])
}

/** The common case, without keeping track of where it is. */
function isPlainJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth + 1))
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key]
    // JSON.stringify drops undefined members
    if (child !== undefined && !isPlainJson(child, depth + 1)) return false
  }
  return true
}

function locate(
  value: unknown,
  path: readonly string[],
  ancestors: readonly unknown[],
): UnsendableValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  const at = (problem: string) => ({ path: path.join('.'), problem })
  if (typeof value === 'number' && Number.isFinite(value)) return undefined
  if (typeof value !== 'object') {
    const kind =
      value === undefined || typeof value === 'number' ? String(value) : `a ${typeof value}`
    return at(`is ${kind}, which JSON cannot represent`)
  }
  if (ancestors.includes(value)) return at('refers to itself: a schema must be a tree')
  if (path.length > MAX_DEPTH) return at(`is nested deeper than ${MAX_DEPTH} levels`)
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key]
    if (child === undefined && !Array.isArray(value)) continue
    const found = locate(child, [...path, key], [...ancestors, value])
    if (found) return found
  }
  return undefined
}
