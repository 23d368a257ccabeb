/** Levels of lists and objects in one another that a message may have. */
export const MAX_DEPTH = 100

/** What a request that is nested too deep is answered with. */
export const TOO_DEEP: { readonly code: number; readonly message: string } = {
  code: -32600,
  message: `Invalid request: it is nested deeper than ${MAX_DEPTH} levels.`,
}

/**
 * Whether a value is nested deeper than it may be. Parsing survives any depth, but what walks through
 * a value afterwards, such as a validator or `JSON.stringify`, does not.
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
