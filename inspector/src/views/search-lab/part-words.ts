import type { ScorePart } from '../../api/contract.ts'

const fields: Record<ScorePart['field'], string> = {
  name: 'name',
  source: 'server',
  hint: 'hint',
  description: 'description',
  parameters: 'parameters',
  meaning: 'meaning',
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
  meaning: 'near in meaning',
}

export interface PartWords {
  /** What was asked: a word of the query. */
  readonly term: string
  /** What stood in for it in the tool, if that is another word. */
  readonly found?: string
  readonly field: string
  readonly match: string
}

/** One reason for a score, in words. */
export function partWords({ term, found, field, match }: ScorePart): PartWords {
  return {
    term,
    ...(found !== undefined && found !== term && { found }),
    field: fields[field],
    match: matches[match],
  }
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
