import { expect, it } from 'vitest'
import type { SetupProblem } from '../offering/setup-problem.ts'
import { latestProblems } from './latest-problems.ts'

it('repeats an old check in the background, and returns the same reference until something changes', async () => {
  const problem = (message: string): SetupProblem => ({ kind: 'ineffective', path: [], message })
  let now = 0
  let checks = 0
  let found = [problem('Redis cannot be reached.')]
  const check = async () => {
    checks++
    return [...found]
  }
  const problems = latestProblems(check, { maxAgeMs: 1_000, now: () => now })
  expect(problems()).toEqual([])
  await expect.poll(problems).toHaveLength(1)
  const first = problems()
  expect(checks).toBe(1)

  now = 1_000
  expect(problems()).toBe(first)
  await expect.poll(() => checks).toBe(2)
  expect(problems()).toBe(first)

  now = 2_000
  found = []
  await expect.poll(problems).toEqual([])
  expect(checks).toBe(3)
})
