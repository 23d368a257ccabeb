import type { Tool } from '../../catalogue/tool.ts'
import { type Check, checkOptions, number } from '../../options/check-option.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** The score of a match in each place. Name matches weigh more for MCP tools. */
export interface NexoWeights {
  /** @default 10 */
  readonly exactPart?: number
  /** @default 5 */
  readonly partOfPart?: number
  /** @default 12 */
  readonly exactPartMcp?: number
  /** @default 6 */
  readonly partOfPartMcp?: number
  /** @default 4 */
  readonly hint?: number
  /** @default 2 */
  readonly description?: number
}

const WEIGHTS = {
  exactPart: number(),
  partOfPart: number(),
  exactPartMcp: number(),
  partOfPartMcp: number(),
  hint: number(),
  description: number(),
} satisfies Record<keyof NexoWeights, Check>

/**
 * nexo's ranker: a term scores in every place where it occurs. Scores add up over the name (a part
 * that equals the term, or else contains it), the hint and the description.
 *
 * @throws InvalidOptionError
 */
export function nexoRanker(weights: NexoWeights = {}): Ranker {
  checkOptions(weights, 'weights', WEIGHTS)
  const { exactPart = 10, partOfPart = 5, exactPartMcp = 12, partOfPartMcp = 6 } = weights
  const { hint = 4, description = 2 } = weights
  return createScanRanker({ name: 'nexo', read: indexTool, score })

  function score(query: WordsQuery, tool: IndexedTool): ScorePart[] {
    const parts: ScorePart[] = []
    const exact = tool.isMcp ? exactPartMcp : exactPart
    const within = tool.isMcp ? partOfPartMcp : partOfPart
    for (const term of query.terms.map(foldCase)) {
      if (tool.parts.includes(term)) {
        parts.push({ term, field: 'name', match: 'exact', weight: exact })
      } else if (tool.parts.some((part) => part.includes(term))) {
        parts.push({ term, field: 'name', match: 'part', weight: within })
      }
      if (tool.hint.includes(term)) {
        parts.push({ term, field: 'hint', match: 'contains', weight: hint })
      }
      if (tool.description.includes(term)) {
        parts.push({ term, field: 'description', match: 'contains', weight: description })
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
    hint: foldCase(tool.searchHint ?? ''),
    description: foldCase(tool.description),
    // nexo's own MCP tools, `mcp_docs__search`, do not count as such
    isMcp: tool.isMcp && !/^mcp_(?!_)/.test(tool.name),
  }
}

/** `mcp__slack__sendMessage` → slack, sendmessage; `FileEdit` → file, edit. */
function splitName(name: string): string[] {
  if (name.startsWith('mcp__')) return foldCase(name).split(/_+/).filter(Boolean).slice(1)
  const parts = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
  return foldCase(parts).split(/[_.]+/).filter(Boolean)
}

/** In lower case, where a sigma has two forms. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
