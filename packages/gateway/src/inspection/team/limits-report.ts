import type { RateLimitConfig } from '../../config/team-config.ts'
import type { LimitsReport } from '../team-api.ts'

/**
 * The limits in words, with what each has refused.
 *
 * @param refusals for each refusal, which limit refused: `toolsearch.rateLimits[0]`
 */
export function limitsReport(
  limits: readonly RateLimitConfig[],
  refusals: readonly string[],
  since: number,
): LimitsReport {
  return {
    since: new Date(since).toISOString(),
    limits: limits.map((limit, index) => ({
      text: describeLimit(limit),
      refused: refusals.filter((reason) => reason.includes(`rateLimits[${index}]`)).length,
    })),
  }
}

const SUBJECTS = {
  person: 'Each person',
  tool: 'Each tool',
  server: 'Each server',
  everybody: 'Everybody together',
} as const

/** `Each person: 300 calls per minute, 20 at the same time.` */
function describeLimit(limit: RateLimitConfig): string {
  const { each, tools, groups, people, calls, resultBytes, per, concurrent } = limit
  const who = [...(groups ?? []), ...(people ?? [])].join(', ')
  const bounds = [
    calls !== undefined && `${format(calls)} calls per ${per}`,
    resultBytes !== undefined && `${format(resultBytes)} bytes of results per ${per}`,
    concurrent !== undefined && `${format(concurrent)} at the same time`,
  ].filter(Boolean)
  const scope = [tools && ` for ${tools.join(', ')}`, who !== '' && ` (${who})`].filter(Boolean)
  return `${SUBJECTS[each]}${scope.join('')}: ${bounds.join(', ')}.`
}

function format(value: number): string {
  return value.toLocaleString('en-US')
}
