import type { Problem } from '../problem.ts'

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
}

/** A Google API error response. */
export function geminiProblem(status: number, message: string): Problem {
  return {
    status,
    body: { error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } },
  }
}

/** The error for an invalid value. `field` is a path in the notation of protocol buffers. */
export function invalidField(field: string, message: string): Problem {
  return geminiProblem(
    400,
    `The GenerateContentRequest proto is invalid:\n  * ${field}: [FIELD_INVALID] ${message}`,
  )
}

/** The error for an unknown field. */
export function unknownName(name: string, place: string): Problem {
  return geminiProblem(
    400,
    `Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`,
  )
}
