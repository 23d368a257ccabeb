/** A part of a request that an endpoint does not support. */
export interface RejectedPart {
  kind: 'field' | 'type'
  name: string
  /** The path of the field, or of the object that has the `type`. */
  path: readonly (string | number)[]
}

/**
 * Finds the first field or `type` in a body that is among `rejects`.
 *
 * Skips the `opaque` fields, which contain the user's own data (inputs, schemas, texts): a tool may
 * have a parameter named `defer_loading`.
 */
export function findRejectedPart(
  body: unknown,
  rejects: readonly string[],
  opaque: readonly string[],
  path: readonly (string | number)[] = [],
): RejectedPart | undefined {
  if (rejects.length === 0 || typeof body !== 'object' || body === null) return undefined
  const { type } = body as { type?: unknown }
  if (typeof type === 'string' && rejects.includes(type)) return { kind: 'type', name: type, path }

  for (const [key, value] of Object.entries(body)) {
    const step = Array.isArray(body) ? Number(key) : key
    const here = [...path, step]
    if (typeof step === 'string' && rejects.includes(step)) {
      return { kind: 'field', name: step, path: here }
    }
    if (typeof step === 'string' && opaque.includes(step)) continue
    const found = findRejectedPart(value, rejects, opaque, here)
    if (found) return found
  }
  return undefined
}
