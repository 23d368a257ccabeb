import type { ScorePart } from '../../api/contract.ts'

const fields: Record<ScorePart['field'], string> = {
  name: 'name',
  source: 'server',
  hint: 'hint',
  description: 'description',
  parameters: 'parameters',
  semantics: 'semantics',
}

const matches: Record<ScorePart['match'], string> = {
  exact: 'exact',
  part: 'part of word',
  contains: 'substring',
  similar: 'similar spelling',
  word: 'word',
  synonym: 'synonym',
  prefix: 'prefix',
  typo: 'typo',
  coverage: 'most of the name',
  semantic: 'semantic match',
}

export interface PartDescription {
  /** A word of the query. */
  readonly term: string
  /** The translation of the term and the matching word of the tool, as far as they differ from it. */
  readonly found?: string
  readonly field: string
  readonly match: string
}

/** Describes one part of a score, with the words of the query where possible. */
export function describePart(
  { term, found, translatedFrom, field, match }: ScorePart,
  query: string,
): PartDescription {
  const steps = [
    ...(translatedFrom === undefined ? [] : [term]),
    ...(found === undefined || found === term ? [] : [found.replace(/^##/, '…')]),
  ]
  return {
    term: translatedFrom ?? queryWord(term, query),
    ...(steps.length > 0 && { found: steps.join(' → ') }),
    field: fields[field],
    match: field === 'semantics' ? '' : matches[match],
  }
}

/** Rankers compare stems: show `customer`, which the person typed, instead of `custom`. */
function queryWord(term: string, query: string): string {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  if (term.length < 3 || words.includes(term)) return term
  // Stemming may have changed the last letter.
  return words.find((word) => word.startsWith(term.slice(0, -1))) ?? term
}

/** Adds up the weights of each field, largest first. */
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
