import { readObject } from './read-object.ts'
import type { SearchBehaviour } from './search-behaviour.ts'
import type { SearchProblem } from './search-outcome.ts'

export type SearchArguments =
  | { readonly query: string; readonly limit: number }
  | { readonly problem: SearchProblem }

/** Reads the arguments of a search call: an object, or the JSON text some providers pass on. */
export function readArguments(
  input: unknown,
  { syntax, selection }: Pick<SearchBehaviour, 'syntax' | 'selection'>,
): SearchArguments {
  const fields = readObject(input)
  const { query } = fields
  if (typeof query !== 'string' && syntax.badQuery === 'error') {
    return invalid('invalid args: "query" must be a string')
  }

  const name = selection.limitArguments.find((one) => fields[one] != null)
  const given = name === undefined ? undefined : readNumber(fields[name])
  const isGood = given !== undefined && Number.isInteger(given) && given >= 0
  if (name !== undefined && !isGood && selection.badLimit === 'error') {
    return invalid(`invalid args: "${name}" must be a whole number from 0 up`)
  }
  const wanted = isGood ? given : selection.defaultLimit
  const limit = Math.min(Math.max(wanted, selection.minLimit), selection.maxLimit)
  return { query: typeof query === 'string' ? query : '', limit }
}

/** Models write numbers as text, too. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(value) ? Number(value) : undefined
}

function invalid(message: string): SearchArguments {
  return { problem: { code: 'invalid_arguments', message } }
}
