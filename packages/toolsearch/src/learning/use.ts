import { hashText } from '../catalogue/hash-text.ts'
import { useTerms } from './use-words.ts'

/** A request that led to a successful call of a tool. */
export interface Use {
  /** The same for the same tool, person and words. */
  readonly id: string
  readonly tool: string
  /** An opaque key of the person who made the request. Empty if unknown. */
  readonly person: string
  /** The words of the request, without values. */
  readonly words: string
  /** When it happened last, in milliseconds since 1970. */
  readonly at: number
  /** Whether the search returned the tool. Otherwise the next search did. */
  readonly found: boolean
}

/** Which uses a method is about: those that match every given field. */
export interface UseFilter {
  readonly tool?: string
  readonly person?: string
  readonly id?: string
}

/** Order and endings of words make no difference, so a repeated request replaces the earlier one. */
export function useId({ tool, person, words }: Omit<Use, 'id' | 'at' | 'found'>): string {
  return hashText(JSON.stringify([tool, person, [...useTerms(words)].sort()]))
}

export function matchesFilter(use: Use, filter: UseFilter): boolean {
  return (
    (filter.tool === undefined || use.tool === filter.tool) &&
    (filter.person === undefined || use.person === filter.person) &&
    (filter.id === undefined || use.id === filter.id)
  )
}
