import { argumentFields } from './parse-arguments.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchProblem } from './search-outcome.ts'

export type SearchArguments =
  | { readonly query: string; readonly limit: number }
  | { readonly problem: SearchProblem }

/** Reads the query and the limit from the arguments of a call to the search tool. */
export function readSearchArguments(
  input: unknown,
  { syntax, selection }: Pick<SearchBehaviour, 'syntax' | 'selection'>,
): SearchArguments {
  const fields = argumentFields(input)
  const { query } = fields
  if (typeof query !== 'string' && syntax.badQuery === 'error') {
    return invalid('invalid args: "query" must be a string')
  }

  const name = selection.limitArguments.find((argument) => fields[argument] != null)
  const given = name === undefined ? undefined : fields[name]
  const requested = selection.badLimit === 'error' ? given : readNumber(given)
  const isValid = typeof requested === 'number' && Number.isInteger(requested) && requested >= 0
  if (name !== undefined && !isValid && selection.badLimit === 'error') {
    return invalid(`invalid args: "${name}" must be a non-negative integer`)
  }
  const wanted = isValid ? requested : selection.defaultLimit
  const limit = Math.min(Math.max(wanted, selection.minLimit), selection.maxLimit)
  return { query: typeof query === 'string' ? query : '', limit }
}

/** Models sometimes send numbers as strings. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(value) ? Number(value) : undefined
}

function invalid(message: string): SearchArguments {
  return { problem: { code: 'invalid_arguments', message } }
}
