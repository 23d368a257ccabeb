import { type EvaluationQuery, labelsOf } from './evaluation-set.ts'
import { type Scores, scoreQuery } from './score-query.ts'
import { type EvaluationSummary, summarise } from './summarise.ts'

/** Returns the names of at most `limit` tools, best first, and how sure the search is of them. */
export type EvaluatedSearch = (
  query: string,
  limit: number,
) => readonly string[] | FoundTools | Promise<readonly string[] | FoundTools>

/** What a search found. The candidates of a doubtful search count as found. */
export interface FoundTools {
  readonly names: readonly string[]
  readonly confidence: 'high' | 'medium' | 'low'
}

export interface EvaluateOptions {
  /**
   * Maximum number of tools per search. Values below 10 lower `recallAt10`.
   * @default 10
   */
  limit?: number
  /**
   * A monotonic clock in milliseconds.
   * @default performance.now
   */
  now?: () => number
}

/** How well a search performs on a set of queries. */
export interface Evaluation {
  readonly all: EvaluationSummary
  /** The same figures per `kind`, in order of first occurrence. */
  readonly kinds: readonly (EvaluationSummary & { readonly kind: string })[]
  /** One result per query, in query order. */
  readonly results: readonly QueryResult[]
}

export interface QueryResult {
  readonly query: EvaluationQuery
  /** The tools that the search returned, best first. */
  readonly found: readonly string[]
  /** Only if the search says how sure it is. */
  readonly confidence?: FoundTools['confidence']
  readonly milliseconds: number
  /** Only for queries with relevant tools. For others, doubt is correct. */
  readonly scores?: Scores
}

/**
 * Runs all queries one after another and scores the tools found. Ignores tools beyond the limit.
 * Rejects if `search` throws.
 *
 * @example
 * const search = (query: string, limit: number) => {
 *   const { hits, candidates, confidence } = toolSearch.search(query, { limit })
 *   return { names: [...hits, ...candidates].map(({ tool }) => tool.name), confidence }
 * }
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
    const result = await search(query.query, limit)
    const milliseconds = now() - start
    const { names, ...confidence } = 'names' in result ? result : { names: result }
    const found = names.slice(0, limit)
    const labels = labelsOf(query)
    const scores = labels.length > 0 ? { scores: scoreQuery(found, labels) } : {}
    results.push({ query, found, ...confidence, milliseconds, ...scores })
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
