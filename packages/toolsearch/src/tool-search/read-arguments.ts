import { argumentFields } from './parse-arguments.ts'
import type { Selection } from './search-behaviour.ts'
import type { SearchProblem } from './search-outcome.ts'

/** Reads the query and the limit from the arguments of a call to the search tool. */
export type ReadArguments = (
  input: unknown,
  selection: Pick<Selection, 'defaultLimit' | 'maxLimit'>,
) => SearchArguments

type SearchArguments =
  | { readonly query: string; readonly limit: number }
  | { readonly problem: SearchProblem }

/**
 * The query is a required string. The limit is in the first of these arguments that is given, at
 * least 1; one that is not a whole number counts as not given.
 */
export function limitFrom(...names: readonly string[]): ReadArguments {
  return (input, { defaultLimit, maxLimit }) => {
    const fields = argumentFields(input)
    const { query } = fields
    if (typeof query !== 'string') return invalidArguments('"query" must be a string')
    const name = names.find((argument) => fields[argument] != null)
    const given = name === undefined ? undefined : readNumber(fields[name])
    const wanted = isLimit(given) ? given : defaultLimit
    return { query, limit: Math.min(Math.max(wanted, 1), maxLimit) }
  }
}

/** A query that is missing or not a string is blank. */
export function withOptionalQuery(read: ReadArguments): ReadArguments {
  return (input, selection) => {
    const fields = argumentFields(input)
    const query = typeof fields.query === 'string' ? fields.query : ''
    return read({ ...fields, query }, selection)
  }
}

/** A limit that is not a whole number is an error. */
export function withStrictLimit(name: string, read: ReadArguments): ReadArguments {
  return (input, selection) => {
    const given = argumentFields(input)[name]
    const found = read(input, selection)
    if ('problem' in found || given == null || isLimit(given)) return found
    return invalidArguments(`"${name}" must be a non-negative integer`)
  }
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

/** Models sometimes send numbers as strings. */
function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(value) ? Number(value) : value
}

function invalidArguments(problem: string): SearchArguments {
  return { problem: { code: 'invalid_arguments', message: `invalid args: ${problem}` } }
}
