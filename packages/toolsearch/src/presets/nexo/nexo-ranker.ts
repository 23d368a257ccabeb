import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** The score of a match in each place. Name matches weigh more for MCP tools. */
export interface NexoWeights {
  readonly exactPart: number
  readonly partOfPart: number
  readonly exactPartMcp: number
  readonly partOfPartMcp: number
  readonly hint: number
  readonly description: number
}

const NEXO_WEIGHTS: NexoWeights = {
  exactPart: 10,
  partOfPart: 5,
  exactPartMcp: 12,
  partOfPartMcp: 6,
  hint: 4,
  description: 2,
}

/**
 * nexo's ranker: a term scores in every place where it occurs. Scores add up over the name (a part
 * that equals the term, or else contains it), the hint and the description.
 */
export function nexoRanker(weights: NexoWeights = NEXO_WEIGHTS): Ranker {
  return createScanRanker({ name: 'nexo', read: indexTool, score })

  function score(query: WordsQuery, tool: IndexedTool): ScorePart[] {
    const parts: ScorePart[] = []
    const exact = tool.isMcp ? weights.exactPartMcp : weights.exactPart
    const within = tool.isMcp ? weights.partOfPartMcp : weights.partOfPart
    for (const term of query.terms) {
      if (tool.parts.includes(term)) {
        parts.push({ term, field: 'name', match: 'exact', weight: exact })
      } else if (tool.parts.some((part) => part.includes(term))) {
        parts.push({ term, field: 'name', match: 'part', weight: within })
      }
      if (tool.hint.includes(term)) {
        parts.push({ term, field: 'hint', match: 'contains', weight: weights.hint })
      }
      if (tool.description.includes(term)) {
        parts.push({ term, field: 'description', match: 'contains', weight: weights.description })
      }
    }
    return parts
  }
}

interface IndexedTool {
  readonly parts: readonly string[]
  readonly hint: string
  readonly description: string
  readonly isMcp: boolean
}

function indexTool(tool: Tool): IndexedTool {
  return {
    parts: splitName(tool.name),
    hint: tool.searchHint?.toLowerCase() ?? '',
    description: tool.description.toLowerCase(),
    isMcp: tool.isMcp,
  }
}

/** `mcp__slack__sendMessage` → mcp, slack, sendmessage; `FileEdit` → file, edit. */
function splitName(name: string): string[] {
  if (name.startsWith('mcp__')) return name.toLowerCase().split(/_+/).filter(Boolean)
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[_.]+/)
    .filter(Boolean)
}
