import { METHOD_NAMES } from '../protocol/methods.ts'
import { isRefusal } from '../serving/refused-error.ts'

/** What `error.type` is for an error: the code of the JSON-RPC error, or what has failed. */
export function errorTypeOf(error: unknown): string {
  if (isRefusal(error)) return error.outcome
  const { code, answer, name } = (error ?? {}) as {
    code?: unknown
    answer?: { code?: unknown }
    name?: unknown
  }
  if (typeof answer?.code === 'number') return String(answer.code)
  if (typeof code === 'number' || (typeof code === 'string' && code.length < 50))
    return String(code)
  return typeof name === 'string' && name !== 'Error' ? name.slice(0, 50) : '_OTHER'
}

/** Those of clients, and those of servers. */
const METHODS = new Set([
  ...METHOD_NAMES,
  'elicitation/create',
  'roots/list',
  'sampling/createMessage',
])

/** The method, or `_OTHER`: clients could invent any number of methods. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER'
}
