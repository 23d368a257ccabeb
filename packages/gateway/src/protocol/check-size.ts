import { MAX_DEPTH } from './is-too-deep.ts'

/** What a value counts besides its text: a list of empty lists is large, too. */
const VALUE_SIZE = 8

/**
 * What is wrong with the size of parsed JSON from a server, as the end of a sentence. Stops reading as soon as
 * it knows. `size` is about that of the value as JSON.
 */
export function checkSize(
  value: unknown,
  maxSize: number,
): { readonly problem: string } | { readonly size: number } {
  let size = 0
  const tooLarge = { problem: `larger than ${Math.round(maxSize / 1_000)} kB` }
  const tooDeep = { problem: `nested deeper than ${MAX_DEPTH} levels` }
  return visit(value, MAX_DEPTH) ?? { size }

  function visit(each: unknown, levels: number): { readonly problem: string } | undefined {
    size += VALUE_SIZE + (typeof each === 'string' ? each.length : 0)
    if (size > maxSize) return tooLarge
    if (typeof each !== 'object' || each === null) return undefined
    if (levels === 0) return tooDeep
    for (const key in each) {
      if (!Array.isArray(each)) size += key.length
      const found = visit((each as Record<string, unknown>)[key], levels - 1)
      if (found) return found
    }
    return undefined
  }
}

/** About the size of parsed JSON as a text, or `max` if it is larger. */
export function sizeUpTo(max: number, value: unknown): number {
  const checked = checkSize(value, max)
  return 'size' in checked ? checked.size : max
}
