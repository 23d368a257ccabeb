/**
 * Runs one query. Returns the names of at most `limit` tools, best first, or an object that also
 * says how sure the search is.
 */
export type EvaluatedSearch = (query: string, limit: number) => Answer | Promise<Answer>

type Answer = readonly string[] | FoundTools

export interface FoundTools extends StatedConfidence {
  /** At most `limit` tools, best first: what the model gets to see, whether loaded or not. */
  readonly names: readonly string[]
}

/** How sure a search is that a relevant tool is among its first five. Both fields are optional. */
export interface StatedConfidence {
  readonly confidence?: Confidence
  /** From 0 to 1. */
  readonly probability?: number
}

export type Confidence = 'high' | 'medium' | 'low'

export function toAnswer(answer: Answer): FoundTools {
  return isNames(answer) ? { names: answer } : answer
}

// Array.isArray does not narrow a readonly array.
function isNames(answer: Answer): answer is readonly string[] {
  return Array.isArray(answer)
}
