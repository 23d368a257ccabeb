import { type Check, groupOf, type Outcome } from './scenario.ts'

/** Scenarios, or single checks as `scenario:check`, that do not pass, and why that is right. */
export interface Expectation {
  readonly reason: string
  /** Such as `server 2026-07-28`. */
  readonly groups: readonly string[]
  /** `*` at the end stands for anything. */
  readonly scenarios: readonly string[]
}

/** `listed` did not pass, as expected. The last two make the command fail. */
type Verdict = 'passed' | 'listed' | 'failed' | 'passed, but is listed'

export interface Judgement {
  readonly outcome: Outcome
  readonly passed: number
  readonly counted: number
  readonly verdict: Verdict
  /** The reason for `listed`; what went wrong for `failed`. */
  readonly note?: string
}

/**
 * Sets an outcome beside what was expected of it.
 *
 * A scenario passes when something was checked and nothing was found wanting, not even what the
 * specification only recommends.
 */
export function judge(outcome: Outcome, expectations: readonly Expectation[]): Judgement {
  const { scenario, checks, trouble } = outcome
  const wanting = checks.filter(isWanting)
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const counts = { outcome, passed, counted: passed + wanting.length }

  const own = expectations.filter(({ groups }) => groups.includes(groupOf(scenario)))
  const whole = own.find(({ scenarios }) => scenarios.some((each) => names(each, scenario.name)))
  const hasPassed = passed > 0 && wanting.length === 0
  if (whole) {
    return hasPassed
      ? { ...counts, verdict: 'passed, but is listed', note: whole.reason }
      : { ...counts, verdict: 'listed', note: whole.reason }
  }

  const prefix = `${scenario.name}:`
  const listed = new Map(
    own.flatMap(({ scenarios, reason }) =>
      scenarios
        .filter((each) => each.startsWith(prefix))
        .map((each) => [each.slice(prefix.length), reason] as const),
    ),
  )
  const better = [...listed.keys()].filter((id) => !wanting.some((check) => check.id === id))
  if (better.length > 0) {
    return { ...counts, verdict: 'passed, but is listed', note: better.join(', ') }
  }
  const worse = wanting.filter(({ id }) => !listed.has(id))
  if (passed === 0 || worse.length > 0) {
    return { ...counts, verdict: 'failed', note: tell(worse) || trouble || 'Nothing was checked.' }
  }
  if (wanting.length === 0) return { ...counts, verdict: 'passed' }
  return { ...counts, verdict: 'listed', note: [...new Set(listed.values())].join(' ') }
}

/** What is listed and was not among the outcomes: the list is older than the suite. */
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
            ({ scenario }) => groupOf(scenario) === group && names(pattern, scenario.name),
          )
        })
        .map((entry) => `${group}: ${entry}`),
    ),
  )
}

function isWanting({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}

function names(pattern: string, scenario: string): boolean {
  return pattern.endsWith('*') ? scenario.startsWith(pattern.slice(0, -1)) : pattern === scenario
}

function tell(checks: readonly Check[]): string {
  return checks.map(({ id, errorMessage = '' }) => `${id} ${errorMessage}`.trim()).join('\n')
}
