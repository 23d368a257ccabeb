import type { AnswerServerRequest } from '../upstreams/upstream.ts'

/** Answers what servers ask of their clients when there is nobody to ask: politely, and with no. */
export const decline: AnswerServerRequest = async (method) => {
  if (method === 'elicitation/create') return { action: 'decline' }
  if (method === 'roots/list') return { roots: [] }
  if (method === 'sampling/createMessage') {
    throw Object.assign(new Error('No model can be asked here.'), { code: -1 })
  }
  throw Object.assign(new Error(`Method not found: ${method}`), { code: -32601 })
}
