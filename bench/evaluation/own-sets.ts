import { InputError } from '../input-error.ts'
import { type EvaluationSet, ownSet } from './evaluation-set.ts'
import { requestSet } from './request-set.ts'

/** The sets of this repository, by name: invented tools, and published MCP servers. */
export const OWN_SETS: Readonly<Record<OwnSetName, () => EvaluationSet>> = {
  catalogue: ownSet,
  requests: () => requestSet(),
}

export type OwnSetName = 'catalogue' | 'requests'

export function isOwnSet(name: string): name is OwnSetName {
  return Object.hasOwn(OWN_SETS, name)
}

/** Keeps the queries of one half of a set. @throws InputError if its queries are not divided */
export function halfOf(set: EvaluationSet, half: 'a' | 'b'): EvaluationSet {
  const queries = set.queries.filter((query) => query.half === half)
  if (queries.length > 0) return { ...set, queries }
  throw new InputError(`The set has no queries with "half": "${half}".`)
}
