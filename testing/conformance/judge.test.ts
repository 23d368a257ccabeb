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
    ['passed', 'a success and a skipped check', outcome('a', 'SUCCESS', 'SKIPPED'), list()],
    ['failed', 'an unexpected failure', outcome('a', 'SUCCESS', 'FAILURE'), list()],
    ['failed', 'an unexpected warning', outcome('a', 'SUCCESS', 'WARNING'), list()],
    ['skipped', 'only skipped checks', outcome('a', 'SKIPPED'), list()],
    ['failed', 'no checks', outcome('a'), list()],
    ['failed', 'a failure where another is expected', outcome('a', 'FAILURE'), list('b')],
    ['failed as expected', 'a listed scenario', outcome('a', 'FAILURE'), list('a')],
    ['failed as expected', 'a listed pattern', outcome('auth/a', 'FAILURE'), list('auth/*')],
    ['failed as expected', 'a listed scenario without checks', outcome('a'), list('a')],
    ['passed unexpectedly', 'a listed scenario that passes', outcome('a', 'SUCCESS'), list('a')],
    ['failed as expected', 'a listed check', outcome('a', 'SUCCESS', 'FAILURE'), list('a:check-1')],
    [
      'failed',
      'a listed check and an unlisted one',
      outcome('a', 'SUCCESS', 'FAILURE', 'FAILURE'),
      list('a:check-1'),
    ],
    [
      'passed unexpectedly',
      'a listed check that passes',
      outcome('a', 'SUCCESS', 'SUCCESS'),
      list('a:check-1'),
    ],
    [
      'failed',
      'a scenario listed for another group',
      outcome('a', 'FAILURE'),
      [{ ...list('a')[0]!, groups: ['client 2026-07-28'] }],
    ],
  ] as const)('returns "%s" for %s', (verdict, _, given, expectations) => {
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
