import type { Problem } from '../problem.ts'
import { newId } from '../reply.ts'

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
}

/** An Anthropic error response. `code` is the `errorCode` of its SDK. */
export function anthropicProblem(status: number, message: string, code?: string): Problem {
  const type = ERROR_TYPES[status] ?? 'api_error'
  const details = code === undefined ? {} : { details: { error_code: code } }
  return {
    status,
    body: { type: 'error', error: { type, message, ...details }, request_id: newId('req') },
  }
}
