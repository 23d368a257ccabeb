import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import { type BigramProfile, createBigramProfile } from '../../ranking/bigram-profile.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'

/**
 * dirge's ranker: scores whether a tool contains the whole query or its words, plus the share of
 * character bigrams that query and tool have in common. Tolerates typos, but also finds weak
 * matches for most queries.
 */
export function bigramRanker(): Ranker {
  const latest = { text: '', profile: createBigramProfile('') }
  return createScanRanker({ name: 'bigram', read: indexTool, score })

  function score(query: WordsQuery, tool: IndexedTool): ScorePart[] {
    const text = query.text.toLowerCase()
    const { name, description } = tool
    const parts: ScorePart[] = []
    const add = (field: 'name' | 'description', match: ScorePart['match'], weight: number) => {
      if (weight > 0) parts.push({ term: text, field, match, weight })
    }

    if (name === text) add('name', 'exact', 10)
    if (name.includes(text) || text.includes(name)) add('name', 'contains', 4)
    addTerms('name', 2, 2)
    add('name', 'similar', 3 * profileOf(text).dice(name))
    if (description.includes(text)) add('description', 'contains', 1.5)
    addTerms('description', 3, 0.5)
    add('description', 'similar', profileOf(text).dice(description))
    return parts

    function addTerms(field: 'name' | 'description', minBytes: number, weight: number): void {
      for (const term of query.terms) {
        if (byteLength(term) >= minBytes && tool[field].includes(term)) {
          parts.push({ term, field, match: 'part', weight })
        }
      }
    }
  }

  function profileOf(text: string): BigramProfile {
    if (latest.text !== text) Object.assign(latest, { text, profile: createBigramProfile(text) })
    return latest.profile
  }
}

interface IndexedTool {
  readonly name: string
  readonly description: string
}

function indexTool(tool: Tool): IndexedTool {
  return { name: tool.name.toLowerCase(), description: tool.description.toLowerCase() }
}

const encoder = new TextEncoder()

function byteLength(text: string): number {
  return text.length >= 3 ? text.length : encoder.encode(text).length
}
