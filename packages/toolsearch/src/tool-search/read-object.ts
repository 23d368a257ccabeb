/** An object, or the JSON text some providers pass on. What is none counts as one without fields. */
export function readObject(input: unknown): Record<string, unknown> {
  let value = input
  if (typeof input === 'string') {
    try {
      value = JSON.parse(input)
    } catch {
      return {}
    }
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
