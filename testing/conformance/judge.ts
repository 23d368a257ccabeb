import { type Check, groupOf, type Outcome } from './scenario.ts'

/** Scenarios that are expected to fail, and why. `scenario:check` stands for a single check. */
export interface Expectation {
  readonly reason: string
  /** Such as `server 2026-07-28`. */
  readonly groups: readonly string[]
  /** A `*` at the end matches anything. */
  readonly scenarios: readonly string[]
}

/** The last two make the command fail. */
type Verdict = 'passed' | 'skipped' | 'failed as expected' | 'failed' | 'passed unexpectedly'

export interface Judgement {
  readonly outcome: Outcome
  readonly passed: number
  readonly counted: number
  readonly verdict: Verdict
  /** The reason for an expected failure, or what went wrong. */
  readonly note?: string
}

/**
 * Compares an outcome with the expectations.
 *
 * A scenario passes if at least one check succeeded and none failed. Warnings count as failures: they
 * mean that a recommendation of the specification is not met.
 */
export function judge(outcome: Outcome, expectations: readonly Expectation[]): Judgement {
  const { scenario, checks, error } = outcome
  const failed = checks.filter(isFailure)
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const counts = { outcome, passed, counted: passed + failed.length }

  const own = expectations.filter(({ groups }) => groups.includes(groupOf(scenario)))
  const whole = own.find(({ scenarios }) =>
    scenarios.some((pattern) => matches(pattern, scenario.name)),
  )
  const hasPassed = passed > 0 && failed.length === 0
  if (whole) {
    return hasPassed
      ? { ...counts, verdict: 'passed unexpectedly', note: whole.reason }
      : { ...counts, verdict: 'failed as expected', note: whole.reason }
  }

  const prefix = `${scenario.name}:`
  const listed = new Map(
    own.flatMap(({ scenarios, reason }) =>
      scenarios
        .filter((each) => each.startsWith(prefix))
        .map((each) => [each.slice(prefix.length), reason] as const),
    ),
  )
  const fixed = [...listed.keys()].filter((id) => !failed.some((check) => check.id === id))
  if (fixed.length > 0) {
    return { ...counts, verdict: 'passed unexpectedly', note: fixed.join(', ') }
  }
  // The suite has the scenario, but not yet its checks.
  if (checks.length > 0 && checks.every(({ status }) => status === 'SKIPPED')) {
    return { ...counts, verdict: 'skipped' }
  }
  const unexpected = failed.filter(({ id }) => !listed.has(id))
  if (passed === 0 || unexpected.length > 0) {
    return {
      ...counts,
      verdict: 'failed',
      note: printChecks(unexpected) || error || 'The suite made no checks.',
    }
  }
  if (failed.length === 0) return { ...counts, verdict: 'passed' }
  return { ...counts, verdict: 'failed as expected', note: [...new Set(listed.values())].join(' ') }
}

/** Expected failures without an outcome: the suite no longer has those scenarios. */
export function staleEntries(
  outcomes: readonly Outcome[],
  expectations: readonly Expectation[],
): string[] {
  return expectations.flatMap(({ groups, scenarios }) =>
    groups.flatMap((group) =>
      scenarios
        .filter((entry) => {
          const [pattern = ''] = entry.split(':')
          return !outcomes.some(
            ({ scenario }) => groupOf(scenario) === group && matches(pattern, scenario.name),
          )
        })
        .map((entry) => `${group}: ${entry}`),
    ),
  )
}

function isFailure({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}

function matches(pattern: string, scenario: string): boolean {
  return pattern.endsWith('*') ? scenario.startsWith(pattern.slice(0, -1)) : pattern === scenario
}

function printChecks(checks: readonly Check[]): string {
  return checks
    .map(({ id, description = '', errorMessage = description }) => `${id} ${errorMessage}`.trim())
    .join('\n')
}
