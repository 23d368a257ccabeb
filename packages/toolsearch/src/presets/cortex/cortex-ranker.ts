import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** cortex's scorer: each term counts once, at the best place where it is found. */
export function cortexRanker(): Ranker {
  return createScanRanker({ name: 'cortex', read: readCard, score })
}

interface Card {
  readonly name: string
  readonly parts: readonly string[]
  readonly description: string
  readonly isMcp: boolean
}

function readCard(tool: Tool): Card {
  const name = tool.name.toLowerCase()
  return {
    name,
    parts: name.split(/_+/).filter(Boolean),
    description: tool.description.toLowerCase(),
    isMcp: tool.isMcp,
  }
}

function score(query: WordsQuery, card: Card): ScorePart[] {
  return query.terms.flatMap((term) => bestPlace(term, card) ?? [])
}

function bestPlace(term: string, card: Card): ScorePart | undefined {
  if (card.parts.includes(term)) {
    return { term, field: 'name', match: 'exact', weight: card.isMcp ? 12 : 10 }
  }
  if (card.parts.some((part) => part.includes(term))) {
    return { term, field: 'name', match: 'part', weight: card.isMcp ? 6 : 5 }
  }
  if (card.name.includes(term)) return { term, field: 'name', match: 'contains', weight: 3 }
  if (card.description.includes(term)) {
    return { term, field: 'description', match: 'contains', weight: 2 }
  }
  return undefined
}
