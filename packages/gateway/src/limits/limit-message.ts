import type { RateLimitConfig } from '../config/team-config.ts'

type Exceeded = 'calls' | 'resultBytes' | 'concurrent'

/**
 * Tells an agent which limit it has reached and when to try again. Names nothing that the agent does not
 * know already.
 *
 * @example
 * limitMessage({ each: 'person', calls: 10, per: 'minute' }, 'calls', 12_000)
 * // 'Rate limit reached: you can make 10 calls per minute. Try again in 12 seconds.'
 */
export function limitMessage(
  rule: RateLimitConfig,
  exceeded: Exceeded,
  retryAfterMs: number,
): string {
  const { each, tools, per } = rule
  const what =
    each === 'tool' || tools ? ' of this tool' : each === 'server' ? ' of this server' : ''
  const who = each === 'person' ? 'you' : 'all users together'
  const limit =
    exceeded === 'concurrent'
      ? `${who} can run ${count(rule.concurrent!, 'call')}${what} at the same time`
      : exceeded === 'calls'
        ? `${who} can make ${count(rule.calls!, 'call')}${what} per ${per}`
        : `${who} can receive ${count(rule.resultBytes!, 'byte')} of results${what} per ${per}`
  return `Rate limit reached: ${limit}. Try again in ${duration(retryAfterMs)}.`
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 120) return count(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour')
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`
}
