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
