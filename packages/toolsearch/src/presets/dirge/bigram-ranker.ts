import type { Tool } from '../../catalogue/tool.ts'
import type { WordsQuery } from '../../query/query.ts'
import type { Ranker, ScorePart } from '../../ranking/ranker.ts'
import { createScanRanker } from '../../ranking/scan-ranker.ts'
import { type BigramProfile, createBigramProfile } from '../../words/bigram-profile.ts'

/**
 * dirge's ranker: scores whether a tool contains the whole query or its words, plus the share of
 * character bigrams that query and tool have in common. Tolerates typos, but also finds weak
 * matches for most queries.
 */
export function bigramRanker(): Ranker {
  let latest: ReadQuery | undefined
  return createScanRanker({ name: 'bigram', read: indexTool, score })

  function score(query: WordsQuery, tool: IndexedTool): ScorePart[] {
    const { text, terms, profile } = read(query)
    const { name, description } = tool
    const parts: ScorePart[] = []
    let sum = 0
    if (name === text) add('name', 'exact', 10)
    if (name.includes(text) || text.includes(name)) add('name', 'contains', 4)
    addTerms('name', 2, 2)
    add('name', 'similar', 3 * Math.fround(profile.dice(name)))
    if (description.includes(text)) add('description', 'contains', 1.5)
    addTerms('description', 3, 0.5)
    add('description', 'similar', profile.dice(description))
    return parts

    /** dirge adds numbers of 32 bits, and ties depend on how they are rounded. */
    function add(
      field: 'name' | 'description',
      match: ScorePart['match'],
      weight: number,
      term = text,
    ): void {
      const next = Math.fround(sum + Math.fround(weight))
      if (next > sum) parts.push({ term, field, match, weight: next - sum })
      sum = next
    }

    function addTerms(field: 'name' | 'description', minBytes: number, weight: number): void {
      for (const term of terms) {
        if (byteLength(term) >= minBytes && tool[field].includes(term)) {
          add(field, 'part', weight, term)
        }
      }
    }
  }

  function read(query: WordsQuery): ReadQuery {
    if (latest?.query !== query) latest = readQuery(query)
    return latest
  }
}

interface ReadQuery {
  readonly query: WordsQuery
  readonly text: string
  readonly terms: readonly string[]
  readonly profile: BigramProfile
}

function readQuery(query: WordsQuery): ReadQuery {
  const text = toAsciiLowerCase(query.text)
  const terms = text.split(/\p{White_Space}+/u)
  return { query, text, terms, profile: createBigramProfile(text) }
}

interface IndexedTool {
  readonly name: string
  readonly description: string
}

function indexTool(tool: Tool): IndexedTool {
  return {
    name: toAsciiLowerCase(tool.name),
    description: toAsciiLowerCase(tool.description),
  }
}

/** Like dirge, leaves letters other than A to Z as they are. */
function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

const encoder = new TextEncoder()

function byteLength(text: string): number {
  return text.length >= 3 ? text.length : encoder.encode(text).length
}
