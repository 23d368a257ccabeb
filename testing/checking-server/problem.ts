/** The error response of a service: HTTP status and body. */
export interface Problem {
  status: number
  body: unknown
}

/** The first problem that a check finds. Later checks may rely on earlier ones. */
export function firstProblem<Arguments extends readonly unknown[]>(
  checks: readonly ((...args: Arguments) => Problem | undefined)[],
  ...args: Arguments
): Problem | undefined {
  for (const check of checks) {
    const problem = check(...args)
    if (problem) return problem
  }
  return undefined
}
