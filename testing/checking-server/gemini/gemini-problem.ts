import type { Problem } from '../problem.ts'

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
}

/** A refusal in Google's words. */
export function geminiProblem(status: number, message: string): Problem {
  return {
    status,
    body: { error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } },
  }
}
