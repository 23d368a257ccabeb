import type { JsonObject } from './json-object.ts'

/**
 * Answers a request that a legacy server sends to its client: `elicitation/create`,
 * `sampling/createMessage` or `roots/list`.
 *
 * If it rejects, the server receives an error with the same message, and with the same `code` if that
 * is a number.
 */
export type AnswerServerRequest = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
) => Promise<JsonObject>

/** Declines server requests when there is no client to forward them to. */
export const decline: AnswerServerRequest = async (method) => {
  if (method === 'elicitation/create') return { action: 'decline' }
  if (method === 'roots/list') return { roots: [] }
  if (method === 'sampling/createMessage') {
    throw Object.assign(new Error('Sampling is not available.'), { code: -1 })
  }
  throw Object.assign(new Error(`Method not found: ${method}`), { code: -32601 })
}
