import type { Problem } from '../problem.ts'

/** Where the fault is and its name, as OpenAI tells them beside the message. */
export interface OpenaiFault {
  param?: string
  code?: string
}

/** A refusal in OpenAI's words. */
export function openaiProblem(
  status: number,
  message: string,
  { param, code }: OpenaiFault = {},
): Problem {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { status, body: { error: { message, type, param: param ?? null, code: code ?? null } } }
}

/** The refusal of a list that must not be empty. */
export function emptyArray(param: string): Problem {
  return openaiProblem(
    400,
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param, code: 'empty_array' },
  )
}

/** The refusal of an object that lacks a field. */
export function missingParameter(param: string): Problem {
  return openaiProblem(400, `Missing required parameter: '${param}'.`, {
    param,
    code: 'missing_required_parameter',
  })
}

/** The refusal of a field that does not belong where it is. */
export function unknownParameter(param: string): Problem {
  return openaiProblem(400, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' })
}
