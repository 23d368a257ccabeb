const LONG_TEXT = 12
const MIN_WORDS = 3
const MAX_NEEDS = 12

/**
 * The parts of a long text that may each ask for a tool of its own: its sentences and clauses.
 * A short text is one need, and has no parts.
 *
 * @example
 * needsOf('Book a room for Friday at nine in the Berlin office and then mail the invitation to all')
 * // ['Book a room for Friday at nine in the Berlin office', 'mail the invitation to all']
 */
export function needsOf(text: string): readonly string[] {
  const words = (part: string) => part.split(/\s+/).filter(Boolean).length
  if (words(text) <= LONG_TEXT) return []
  const parts = text
    .split(/[.!?]+(?:\s|$)|[;\n]+|, |\b(?:and|then)\b/)
    .map((part) => part.trim())
    .filter((part) => words(part) >= MIN_WORDS)
  return parts.length > 1 ? parts.slice(0, MAX_NEEDS) : []
}
