import { isTooDeep, TOO_DEEP } from './is-too-deep.ts'
import { isObject } from './json-object.ts'

/** The maximum length of names, URIs and cursors in requests. Comparing longer ones would take too long. */
export const MAX_NAME_LENGTH = 8_192

const NAMES = ['name', 'uri', 'cursor', 'taskId', 'level'] as const

/** Why a message of a client is rejected, whatever its method. Undefined if it is not. */
export function requestProblem(
  message: unknown,
): { readonly code: number; readonly message: string } | undefined {
  if (isTooDeep(message)) return TOO_DEEP
  const params = isObject(message) && isObject(message.params) ? message.params : {}
  const named = isObject(params.ref) ? [params, params.ref] : [params]
  const long = named.flatMap((place) => NAMES.filter((key) => isLong(place[key])))
  if (long.length === 0) return undefined
  return {
    code: -32602,
    message: `Invalid params: ${long[0]} is longer than ${MAX_NAME_LENGTH} characters.`,
  }
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > MAX_NAME_LENGTH
}
