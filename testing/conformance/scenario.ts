/** One scenario of the suite, for one side and one version of the protocol. */
export interface Scenario {
  readonly role: 'server' | 'client'
  readonly version: string
  readonly name: string
}

/** The result of a scenario. The same check can occur several times. */
export interface Outcome {
  readonly scenario: Scenario
  readonly checks: readonly Check[]
  /** Why there are no checks. */
  readonly error?: string
}

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly description?: string
  readonly errorMessage?: string
}

/** @example groupOf({ role: 'server', version: '2026-07-28', name: 'tools-list' }) // 'server 2026-07-28' */
export function groupOf({ role, version }: Scenario): string {
  return `${role} ${version}`
}
