const LONG_TEXT = 12
const MIN_WORDS = 3
const MAX_NEEDS = 12

/**
 * Splits a long text into sentences and clauses, each of which may ask for a different tool.
 * Returns an empty list for a text with a single need.
 *
 * @example
 * splitNeeds('Book a room for Friday at nine in the Berlin office and then mail the invitation to all')
 * // ['Book a room for Friday at nine in the Berlin office', 'mail the invitation to all']
 */
export function splitNeeds(text: string): readonly string[] {
  const countWords = (part: string) => part.split(/\s+/).filter(Boolean).length
  if (countWords(text) <= LONG_TEXT) return []
  const parts = text
    .split(/[.!?]+(?:\s|$)|[;\n]+|, |\b(?:and|then)\b/)
    .map((part) => part.trim())
    .filter((part) => countWords(part) >= MIN_WORDS)
  return parts.length > 1 ? parts.slice(0, MAX_NEEDS) : []
}
