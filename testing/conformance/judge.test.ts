import { describe, expect, it } from 'vitest'
import { type Expectation, judge, staleEntries } from './judge.ts'
import type { Check, Outcome } from './scenario.ts'

const group = 'server 2026-07-28'
const list = (...scenarios: string[]): Expectation[] => [
  { reason: 'No need.', groups: [group], scenarios },
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
    ['listed', outcome('a', 'FAILURE'), list('a')],
    ['listed', outcome('auth/a', 'FAILURE'), list('auth/*')],
    ['listed', outcome('a'), list('a')],
    ['passed, but is listed', outcome('a', 'SUCCESS'), list('a')],
    ['listed', outcome('a', 'SUCCESS', 'FAILURE'), list('a:check-1')],
    ['failed', outcome('a', 'SUCCESS', 'FAILURE', 'FAILURE'), list('a:check-1')],
    ['passed, but is listed', outcome('a', 'SUCCESS', 'SUCCESS'), list('a:check-1')],
    ['failed', outcome('a', 'FAILURE'), [{ ...list('a')[0]!, groups: ['client 2026-07-28'] }]],
  ] as const)('says %s of %j with %j', (verdict, given, expectations) => {
    expect(judge(given, expectations).verdict).toBe(verdict)
  })
})

describe('staleEntries', () => {
  it('names what no scenario answers to', () => {
    const expectations = list('a', 'b', 'a:x', 'c:x', 'auth/*')
    expect(staleEntries([outcome('a', 'SUCCESS')], expectations)).toEqual([
      `${group}: b`,
      `${group}: c:x`,
      `${group}: auth/*`,
    ])
  })
})
