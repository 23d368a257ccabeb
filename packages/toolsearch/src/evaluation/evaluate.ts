import { type EvaluationQuery, labelsOf } from './evaluation-set.ts'
import { type Scores, scoreQuery } from './score-query.ts'
import { type EvaluationSummary, summarise } from './summarise.ts'

/** The names of the tools a search finds, best first, `limit` at most. */
export type EvaluatedSearch = (
  query: string,
  limit: number,
) => readonly string[] | Promise<readonly string[]>

export interface EvaluateOptions {
  /**
   * How many tools each search may give. Fewer than 10 leave R@10 less than it could be.
   * @default 10
   */
  limit?: number
  /**
   * Milliseconds on a clock that never goes back.
   * @default performance.now
   */
  now?: () => number
}

/** How well a search does on a set of queries. */
export interface Evaluation {
  readonly all: EvaluationSummary
  /** The same for each `kind`, in the order in which kinds first occur. */
  readonly kinds: readonly (EvaluationSummary & { readonly kind: string })[]
  /** One for each query, in their order. */
  readonly results: readonly QueryResult[]
}

export interface QueryResult {
  readonly query: EvaluationQuery
  /** What the search gave, best first. */
  readonly found: readonly string[]
  readonly milliseconds: number
  /** Only where something serves the query; elsewhere finding nothing is right. */
  readonly scores?: Scores
}

/**
 * Runs every query, one after the other, and judges what is found. Rejects with whatever `search`
 * throws. More tools than asked for are cut off.
 *
 * @example
 * const search = (query: string, limit: number) =>
 *   toolSearch.search(query, { limit }).hits.map((hit) => hit.tool.name)
 * const { all } = await evaluate(search, [{ query: 'open a bug', relevant: ['create_issue'] }])
 */
export async function evaluate(
  search: EvaluatedSearch,
  queries: readonly EvaluationQuery[],
  { limit = 10, now = () => performance.now() }: EvaluateOptions = {},
): Promise<Evaluation> {
  const results: QueryResult[] = []
  for (const query of queries) {
    const start = now()
    const given = await search(query.query, limit)
    const milliseconds = now() - start
    const found = given.slice(0, limit)
    const labels = labelsOf(query)
    const scores = labels.length > 0 ? { scores: scoreQuery(found, labels) } : {}
    results.push({ query, found, milliseconds, ...scores })
  }
  return { all: summarise(results), kinds: summariseKinds(results), results }
}

function summariseKinds(results: readonly QueryResult[]): Evaluation['kinds'] {
  const byKind = new Map<string, QueryResult[]>()
  for (const result of results) {
    const { kind } = result.query
    if (kind === undefined) continue
    const same = byKind.get(kind)
    if (same) same.push(result)
    else byKind.set(kind, [result])
  }
  return [...byKind].map(([kind, same]) => ({ kind, ...summarise(same) }))
}
