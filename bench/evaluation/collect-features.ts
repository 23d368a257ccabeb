import type { Tool } from 'toolsearch'
import type { Ranker } from 'toolsearch/rankers'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'

/** Numbers by name that say how clear a match is. The same names for every query, and all finite. */
export type Features = Readonly<Record<string, number>>

export interface Observation {
  /** The first five tools. */
  readonly names: readonly string[]
  /** Absent without hits: there is nothing to be sure of. */
  readonly features?: Features
}

/** Ranks a query and reads the evidence that the ranker bases its estimates on. */
export function collectFeatures(
  ranker: Ranker,
  text: string,
  accepts?: (tool: Tool) => boolean,
): Observation {
  const query = parseQuery(text, { select: false, required: false })
  if (query.kind !== 'words') return { names: [] }
  const { hits, evidence } = ranker.rank(query, {
    limit: 5,
    ties: 'catalogue',
    ...(accepts && { accepts }),
  })
  if (hits.length === 0) return { names: [] }
  return {
    names: hits.map(({ tool }) => tool.name),
    ...(evidence && { features: { ...evidence } }),
  }
}
