import type { JsonObject } from './json-object.ts'

/**
 * Answers a request that a legacy server sends to its client: `elicitation/create`,
 * `sampling/createMessage` or `roots/list`.
 *
 * May reject: the server then receives an error with that message, and with the error's `code` if it
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
