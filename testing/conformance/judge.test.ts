import { describe, expect, it } from 'vitest'
import { type Expectation, judge, staleEntries } from './judge.ts'
import type { Check, Outcome } from './scenario.ts'

const group = 'server 2026-07-28'
const list = (...scenarios: string[]): Expectation[] => [
  { reason: 'Not supported.', groups: [group], scenarios },
]

function outcome(name: string, ...statuses: Check['status'][]): Outcome {
  return {
    scenario: { role: 'server', version: '2026-07-28', name },
    checks: statuses.map((status, at) => ({ id: `check-${at}`, status })),
  }
}

describe('judge', () => {
  it.each([
    ['passed', outcome('a', 'SUCCESS', 'SKIPPED'), list()],
    ['failed', outcome('a', 'SUCCESS', 'FAILURE'), list()],
    ['failed', outcome('a', 'SUCCESS', 'WARNING'), list()],
    ['failed', outcome('a', 'SKIPPED'), list()],
    ['failed', outcome('a'), list()],
    ['failed', outcome('a', 'FAILURE'), list('b')],
    ['failed as expected', outcome('a', 'FAILURE'), list('a')],
    ['failed as expected', outcome('auth/a', 'FAILURE'), list('auth/*')],
    ['failed as expected', outcome('a'), list('a')],
    ['passed unexpectedly', outcome('a', 'SUCCESS'), list('a')],
    ['failed as expected', outcome('a', 'SUCCESS', 'FAILURE'), list('a:check-1')],
    ['failed', outcome('a', 'SUCCESS', 'FAILURE', 'FAILURE'), list('a:check-1')],
    ['passed unexpectedly', outcome('a', 'SUCCESS', 'SUCCESS'), list('a:check-1')],
    ['failed', outcome('a', 'FAILURE'), [{ ...list('a')[0]!, groups: ['client 2026-07-28'] }]],
  ] as const)('returns "%s" for %j with expectations %j', (verdict, given, expectations) => {
    expect(judge(given, expectations).verdict).toBe(verdict)
  })
})

describe('staleEntries', () => {
  it('lists expectations that match no scenario', () => {
    const expectations = list('a', 'b', 'a:x', 'c:x', 'auth/*')
    expect(staleEntries([outcome('a', 'SUCCESS')], expectations)).toEqual([
      `${group}: b`,
      `${group}: c:x`,
      `${group}: auth/*`,
    ])
  })
})
