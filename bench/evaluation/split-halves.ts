import { createHash } from 'node:crypto'
import type { EvaluationQuery } from 'toolsearch/evaluation'

/** Half `a` is for tuning, half `b` for reporting, or the reverse. */
export type Half = 'a' | 'b'

/**
 * Assigns each query to a half. Within each kind, the queries with the lower SHA-256 hashes are in
 * half `a`, so that both halves have the same mix of kinds, a rerun gives the same halves, and a new
 * query moves at most one other query of its kind.
 *
 * @returns the halves by query
 */
export function splitHalves(queries: readonly EvaluationQuery[]): ReadonlyMap<string, Half> {
  const kinds = new Set(queries.map(({ kind }) => kind))
  return new Map(
    [...kinds].flatMap((kind) => splitKind(queries.filter((query) => query.kind === kind))),
  )
}

function splitKind(queries: readonly EvaluationQuery[]): [query: string, half: Half][] {
  const byHash = queries
    .map(({ query }) => ({ query, hash: createHash('sha256').update(query).digest('hex') }))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1))
  const middle = Math.ceil(byHash.length / 2)
  return byHash.map(({ query }, at) => [query, at < middle ? 'a' : 'b'])
}
