import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/** cortex's ranker: each term counts once, in the highest-weighted place where it occurs. */
export function cortexRanker(): Ranker {
  return createScanRanker({ name: 'cortex', read: indexTool, score })
}

interface IndexedTool {
  readonly name: string
  readonly parts: readonly string[]
  readonly description: string
  readonly isMcp: boolean
}

function indexTool(tool: Tool): IndexedTool {
  const name = tool.name.toLowerCase()
  return {
    name,
    parts: name.split(/_+/).filter(Boolean),
    description: tool.description.toLowerCase(),
    isMcp: tool.isMcp,
  }
}

function score(query: WordsQuery, tool: IndexedTool): ScorePart[] {
  return query.terms.flatMap((term) => bestMatch(term, tool) ?? [])
}

function bestMatch(term: string, tool: IndexedTool): ScorePart | undefined {
  if (tool.parts.includes(term)) {
    return { term, field: 'name', match: 'exact', weight: tool.isMcp ? 12 : 10 }
  }
  if (tool.parts.some((part) => part.includes(term))) {
    return { term, field: 'name', match: 'part', weight: tool.isMcp ? 6 : 5 }
  }
  if (tool.name.includes(term)) return { term, field: 'name', match: 'contains', weight: 3 }
  if (tool.description.includes(term)) {
    return { term, field: 'description', match: 'contains', weight: 2 }
  }
  return undefined
}
