import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** The score of a match in each place. Name matches weigh more for MCP tools. */
const POINTS = {
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
export function nexoRanker(): Ranker {
  return createScanRanker({ name: 'nexo', read: indexTool, score })
}

function score(query: WordsQuery, tool: IndexedTool): ScorePart[] {
  const parts: ScorePart[] = []
  const exact = tool.isMcp ? POINTS.exactPartMcp : POINTS.exactPart
  const within = tool.isMcp ? POINTS.partOfPartMcp : POINTS.partOfPart
  for (const term of query.terms.map(foldCase)) {
    if (tool.parts.includes(term)) {
      parts.push({ term, field: 'name', match: 'exact', weight: exact })
    } else if (tool.parts.some((part) => part.includes(term))) {
      parts.push({ term, field: 'name', match: 'part', weight: within })
    }
    if (tool.hint.includes(term)) {
      parts.push({ term, field: 'hint', match: 'contains', weight: POINTS.hint })
    }
    if (tool.description.includes(term)) {
      parts.push({ term, field: 'description', match: 'contains', weight: POINTS.description })
    }
  }
  return parts
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
