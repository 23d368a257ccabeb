import { createToolSearch, type Tool, type ToolSearchOptions } from 'toolsearch'
import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { wordFrequencies } from '../../packages/toolsearch/src/tool-search/catalogue-words.ts'
import { suggestQuery } from '../../packages/toolsearch/src/tool-search/suggest-query.ts'

/** What suggested queries find, for queries that did not find a relevant tool themselves. */
export interface SuggestionFigures {
  /** Queries with a relevant tool, but none among the first five results. */
  readonly missed: number
  /** How many of these have a suggested query. */
  readonly suggested: number
  /** How many of the suggested queries find a relevant tool within five results. */
  readonly found: number
}

const SHOWN = 5
const RANKED = 25

/**
 * Makes a suggestion for every missed query, not only for those with low confidence, and searches
 * with it.
 */
export function measureSuggestions(
  tools: readonly Tool[],
  queries: readonly EvaluationQuery[],
  overrides: ToolSearchOptions,
): SuggestionFigures {
  const toolSearch = createToolSearch({ tools, ...overrides })
  const { selection } = toolSearch.preset
  const everything = createToolSearch({
    tools,
    ...overrides,
    selection: { ...selection, band: 0, confidence: { sure: 1, doubtful: 0 } },
  })
  const frequencies = wordFrequencies(everything.catalogue.tools())
  const missed = queries.filter(
    (query) => labelsOf(query).length > 0 && !isFound(query, query.query),
  )
  const suggested = missed.flatMap((query) => {
    const ranked = everything.search(query.query, { limit: RANKED }).hits.map(({ tool }) => tool)
    const suggestion = suggestQuery(query.query, ranked.slice(SHOWN), frequencies)
    return suggestion === undefined ? [] : [{ query, suggestion }]
  })
  const found = suggested.filter(({ query, suggestion }) => isFound(query, suggestion))
  return { missed: missed.length, suggested: suggested.length, found: found.length }

  function isFound(query: EvaluationQuery, text: string): boolean {
    const { hits, candidates } = toolSearch.search(text, { limit: SHOWN })
    const names = new Set([...hits, ...candidates].map(({ tool }) => tool.name))
    return labelsOf(query).some((label) => [...label].some((name) => names.has(name)))
  }
}
