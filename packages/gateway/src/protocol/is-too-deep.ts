/** The maximum nesting depth of arrays and objects in a message. */
export const MAX_DEPTH = 100

/** The JSON-RPC error for a request that is nested too deeply. */
export const TOO_DEEP: { readonly code: number; readonly message: string } = {
  code: -32600,
  message: `Invalid request: nested deeper than ${MAX_DEPTH} levels.`,
}

/**
 * Whether a value is nested too deeply. `JSON.parse` handles any depth, but recursive code such as
 * validators and `JSON.stringify` would overflow the stack.
 */
export function isTooDeep(value: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((child) => isTooDeep(child, levels - 1))
  for (const key in value) {
    if (isTooDeep((value as Record<string, unknown>)[key], levels - 1)) return true
  }
  return false
}
