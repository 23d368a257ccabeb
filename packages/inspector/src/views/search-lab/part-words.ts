import type { ScorePart } from '../../api/contract.ts'

const fields: Record<ScorePart['field'], string> = {
  name: 'name',
  source: 'server',
  hint: 'hint',
  description: 'description',
  parameters: 'parameters',
  semantics: 'meaning',
}

const matches: Record<ScorePart['match'], string> = {
  exact: 'exact',
  part: 'part of a word',
  contains: 'within the text',
  similar: 'spelt alike',
  word: 'word',
  synonym: 'stands for it',
  prefix: 'beginning',
  typo: 'misspelt',
  coverage: 'most of the name',
  semantic: 'near in meaning',
}

export interface PartWords {
  /** What was asked: a word of the query. */
  readonly term: string
  /** What stood in for it in the tool, if that is another word. */
  readonly found?: string
  readonly field: string
  readonly match: string
}

/** One reason for a score, in words; in those of the query where they can be told. */
export function partWords({ term, found, field, match }: ScorePart, query: string): PartWords {
  return {
    term: askedWord(term, query),
    ...(found !== undefined && found !== term && { found: found.replace(/^##/, '…') }),
    field: fields[field],
    match: field === 'semantics' ? '' : matches[match],
  }
}

/** Rankers compare stems: `custom` is what is left of `customer`. A person typed the latter. */
function askedWord(term: string, query: string): string {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  if (term.length < 3 || words.includes(term)) return term
  // the last letter of a stem may be another one than the word's
  return words.find((word) => word.startsWith(term.slice(0, -1))) ?? term
}

/** Reasons of one kind put together: the same field, what they weigh, the weightiest first. */
export function weightsByField(
  parts: readonly ScorePart[],
): { readonly field: ScorePart['field']; readonly weight: number }[] {
  const weights = new Map<ScorePart['field'], number>()
  for (const { field, weight } of parts) weights.set(field, (weights.get(field) ?? 0) + weight)
  return [...weights]
    .filter(([, weight]) => weight > 0)
    .map(([field, weight]) => ({ field, weight }))
    .sort((a, b) => b.weight - a.weight)
}
