const MAX_DEPTH = 200

/** Deep equality of plain data. Functions and class instances are compared by reference. */
export function isEqual(a: unknown, b: unknown, depth: number = 0): boolean {
  if (Object.is(a, b)) return true
  if (!isData(a) || !isData(b) || depth > MAX_DEPTH) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], depth + 1))
}

function isData(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
