import type { Problem } from '../problem.ts'

/** The parameter and the code of an OpenAI error. */
export interface OpenaiErrorDetails {
  param?: string
  code?: string
}

/** An OpenAI error response. */
export function openaiProblem(
  status: number,
  message: string,
  { param, code }: OpenaiErrorDetails = {},
): Problem {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { status, body: { error: { message, type, param: param ?? null, code: code ?? null } } }
}

/** The error for a list that must not be empty. */
export function emptyArray(param: string): Problem {
  return openaiProblem(
    400,
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param, code: 'empty_array' },
  )
}

/** The error for a missing field. */
export function missingParameter(param: string): Problem {
  return openaiProblem(400, `Missing required parameter: '${param}'.`, {
    param,
    code: 'missing_required_parameter',
  })
}

/** The error for an unknown field. */
export function unknownParameter(param: string): Problem {
  return openaiProblem(400, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' })
}
