/** How a service refuses a request: its status and its error body. */
export interface Problem {
  status: number
  body: unknown
}

/** The first problem that any of the checks sees; later checks may rely on earlier ones. */
export function firstProblem<Arguments extends readonly unknown[]>(
  checks: readonly ((...given: Arguments) => Problem | undefined)[],
  ...given: Arguments
): Problem | undefined {
  for (const check of checks) {
    const problem = check(...given)
    if (problem) return problem
  }
  return undefined
}
