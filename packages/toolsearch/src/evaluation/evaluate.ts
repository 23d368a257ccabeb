import { type EvaluatedSearch, type StatedConfidence, toAnswer } from './evaluated-search.ts'
import { type EvaluationQuery, labelsOf } from './evaluation-set.ts'
import { type Scores, scoreQuery } from './score-query.ts'
import { type EvaluationSummary, summarise } from './summarise.ts'

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
  /** The same figures per `language`, of the queries that have one. */
  readonly languages: readonly (EvaluationSummary & { readonly language: string })[]
  /** One result per query, in query order. */
  readonly results: readonly QueryResult[]
}

export interface QueryResult extends StatedConfidence {
  readonly query: EvaluationQuery
  /** The tools that the search returned, best first. */
  readonly found: readonly string[]
  readonly milliseconds: number
  /** Only for queries with relevant tools. For others, a doubtful result is correct. */
  readonly scores?: Scores
}

/**
 * Runs all queries one after another and scores the tools found. Ignores tools beyond the limit.
 * Rejects if `search` throws.
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
    const { names, ...stated } = toAnswer(await search(query.query, limit))
    const milliseconds = now() - start
    const found = names.slice(0, limit)
    const labels = labelsOf(query)
    const scores = labels.length > 0 ? { scores: scoreQuery(found, labels) } : {}
    results.push({ query, found, milliseconds, ...confidenceIn(stated), ...scores })
  }
  return {
    all: summarise(results),
    kinds: groupBy(results, 'kind').map(([kind, same]) => ({ kind, ...summarise(same) })),
    languages: groupBy(results, 'language').map(([language, same]) => ({
      language,
      ...summarise(same),
    })),
    results,
  }
}

/** Leaves out other fields of the answer, and fields that are undefined. */
function confidenceIn({ confidence, probability }: StatedConfidence): StatedConfidence {
  return {
    ...(confidence !== undefined && { confidence }),
    ...(probability !== undefined && { probability }),
  }
}

function groupBy(
  results: readonly QueryResult[],
  field: 'kind' | 'language',
): [value: string, same: QueryResult[]][] {
  const groups = new Map<string, QueryResult[]>()
  for (const result of results) {
    const value = result.query[field]
    if (value === undefined) continue
    const same = groups.get(value)
    if (same) same.push(result)
    else groups.set(value, [result])
  }
  return [...groups]
}
