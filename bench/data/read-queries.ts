import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { InputError } from '../input-error.ts'
import { type Line, readLines } from './read-lines.ts'

/** A query of a set whose queries are divided in two, to choose on one half and judge on the other. */
export interface DividedQuery extends EvaluationQuery {
  readonly half?: 'a' | 'b'
}

/** Reads the queries of several files, in order. @throws InputError */
export function readQueries(files: readonly string[]): DividedQuery[] {
  const queries = files.flatMap(readLines).map(readQuery)
  if (queries.length === 0) throw new InputError(`No queries in ${files.join(', ')}.`)
  return queries
}

/** Lists the relevant names that match no tool, without duplicates. */
export function unknownNames(
  queries: readonly EvaluationQuery[],
  tools: readonly { readonly name: string }[],
): string[] {
  const known = new Set(tools.map((tool) => tool.name))
  const relevant = queries.flatMap((query) => labelsOf(query).flatMap((label) => [...label]))
  return [...new Set(relevant)].filter((name) => !known.has(name))
}

function readQuery({ fields, place }: Line): DividedQuery {
  const { query, relevant, groups, kind, language, half } = fields
  if (typeof query !== 'string') throw wrong('query', 'must be a string')
  if (!isNames(relevant)) {
    throw wrong('relevant', 'must be a list of tool names, [] if no tool is relevant')
  }
  if (groups !== undefined && !(Array.isArray(groups) && groups.every(isNames))) {
    throw wrong('groups', 'must be a list of lists of tool names')
  }
  if (kind !== undefined && typeof kind !== 'string') throw wrong('kind', 'must be a string')
  if (language !== undefined && typeof language !== 'string') {
    throw wrong('language', 'must be a string')
  }
  if (half !== undefined && half !== 'a' && half !== 'b') throw wrong('half', 'must be "a" or "b"')
  return {
    query,
    relevant,
    ...(groups !== undefined && { groups }),
    ...(kind !== undefined && { kind }),
    ...(language !== undefined && { language }),
    ...(half !== undefined && { half }),
  }

  function wrong(field: string, problem: string): InputError {
    const missing = fields[field] === undefined ? 'is missing; it ' : ''
    return new InputError(`${place}: "${field}" ${missing}${problem}`)
  }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
