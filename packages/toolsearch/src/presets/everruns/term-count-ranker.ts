import type { Tool } from '../../catalogue/tool.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** The original ranker of everruns: one point for each query term found anywhere in name or description. */
export function termCountRanker(): Ranker {
  return createScanRanker({
    name: 'term-count',
    read: readLowercaseText,
    score: (query, text) =>
      query.terms.flatMap((term) => matchTerm(term, text, { name: 1, description: 1 }) ?? []),
  })
}

export interface LowercaseText {
  readonly name: string
  readonly description: string
}

export function readLowercaseText(tool: Tool): LowercaseText {
  return { name: tool.name.toLowerCase(), description: tool.description.toLowerCase() }
}

/** A term counts once: in the name if it occurs there, otherwise in the description. */
export function matchTerm(
  term: string,
  text: LowercaseText,
  weights: { name: number; description: number },
): ScorePart | undefined {
  for (const field of ['name', 'description'] as const) {
    if (text[field].includes(term))
      return { term, field, match: 'contains', weight: weights[field] }
  }
  return undefined
}
