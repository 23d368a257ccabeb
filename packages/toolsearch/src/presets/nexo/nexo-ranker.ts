import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** What a match is worth in each place. Name matches weigh more on MCP tools. */
export interface NexoWeights {
  readonly exactPart: number
  readonly partOfPart: number
  readonly exactPartMcp: number
  readonly partOfPartMcp: number
  readonly hint: number
  readonly description: number
}

export const NEXO_WEIGHTS: NexoWeights = {
  exactPart: 10,
  partOfPart: 5,
  exactPartMcp: 12,
  partOfPartMcp: 6,
  hint: 4,
  description: 2,
}

/**
 * nexo's scorer: every term collects points at every place it is found. A name part that equals
 * the term or else contains it, then the hint, then the description, all add up.
 */
export function nexoRanker(weights: NexoWeights = NEXO_WEIGHTS): Ranker {
  return createScanRanker({ name: 'nexo', read: readCard, score })

  function score(query: WordsQuery, card: Card): ScorePart[] {
    const parts: ScorePart[] = []
    const exact = card.isMcp ? weights.exactPartMcp : weights.exactPart
    const within = card.isMcp ? weights.partOfPartMcp : weights.partOfPart
    for (const term of query.terms) {
      if (card.parts.includes(term)) {
        parts.push({ term, field: 'name', match: 'exact', weight: exact })
      } else if (card.parts.some((part) => part.includes(term))) {
        parts.push({ term, field: 'name', match: 'part', weight: within })
      }
      if (card.hint.includes(term)) {
        parts.push({ term, field: 'hint', match: 'contains', weight: weights.hint })
      }
      if (card.description.includes(term)) {
        parts.push({ term, field: 'description', match: 'contains', weight: weights.description })
      }
    }
    return parts
  }
}

interface Card {
  readonly parts: readonly string[]
  readonly hint: string
  readonly description: string
  readonly isMcp: boolean
}

function readCard(tool: Tool): Card {
  return {
    parts: nexoNameParts(tool.name),
    hint: tool.searchHint?.toLowerCase() ?? '',
    description: tool.description.toLowerCase(),
    isMcp: tool.isMcp,
  }
}

/**
 * @example
 * nexoNameParts('mcp__slack__send_message') // ['slack', 'send', 'message']
 * nexoNameParts('FileEdit') // ['file', 'edit']
 */
export function nexoNameParts(name: string): string[] {
  return name
    .replace(/^mcp__/, '')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[_.]+/)
    .filter(Boolean)
}
