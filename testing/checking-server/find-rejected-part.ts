/** Something in a request that an endpoint does not know. */
export interface RejectedPart {
  kind: 'field' | 'type'
  name: string
  /** Where it is: the field itself, or the object whose `type` it is. */
  path: readonly (string | number)[]
}

/**
 * Finds the first field or `type` in a body that is among `rejects`.
 *
 * What lies under one of the `opaque` fields is the user's own data (inputs, schemas, texts) and
 * is not looked into: a tool may well have a parameter called `defer_loading`.
 */
export function findRejectedPart(
  body: unknown,
  rejects: readonly string[],
  opaque: readonly string[],
  path: readonly (string | number)[] = [],
): RejectedPart | undefined {
  if (typeof body !== 'object' || body === null) return undefined
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
