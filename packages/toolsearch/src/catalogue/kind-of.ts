/** The type of a value for an error message, where `null` and arrays are no objects. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
