import type { SetupProblem } from '../offering/setup-problem.ts'

export interface LatestProblemsOptions {
  /** How long the result of a check is used. @default one minute */
  readonly maxAgeMs?: number
  /** @default Date.now */
  readonly now?: () => number
}

const NONE: readonly SetupProblem[] = []

/**
 * Checks now, and returns a function for the latest result. If the result is old, the function starts another
 * check without waiting for it. Same reference until the problems change.
 *
 * @param check must not reject
 */
export function latestProblems(
  check: () => Promise<readonly SetupProblem[]>,
  { maxAgeMs = 60_000, now = Date.now }: LatestProblemsOptions = {},
): () => readonly SetupProblem[] {
  let latest = NONE
  let checkedAt = Number.NEGATIVE_INFINITY
  let isChecking = false

  async function refresh(): Promise<void> {
    isChecking = true
    const found = await check()
    if (JSON.stringify(found) !== JSON.stringify(latest)) latest = found
    checkedAt = now()
    isChecking = false
  }

  void refresh()
  return () => {
    if (!isChecking && now() - checkedAt >= maxAgeMs) void refresh()
    return latest
  }
}
