/** The type of a value for error messages. Unlike `typeof`, it distinguishes null, arrays and objects. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
