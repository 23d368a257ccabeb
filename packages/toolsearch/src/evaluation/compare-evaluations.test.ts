import { describe, expect, it } from 'vitest'
import { compareEvaluations, DifferentQueriesError } from './compare-evaluations.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import type { EvaluationQuery } from './evaluation-set.ts'

/** 100 queries of which a search answers the first few, and one without relevant tools. */
function finding(numbers: (at: number) => boolean): Promise<Evaluation> {
  const queries: EvaluationQuery[] = Array.from({ length: 100 }, (_, at) => ({
    query: `${at}`,
    relevant: ['a'],
  }))
  queries.push({ query: 'none', relevant: [] })
  return evaluate((query) => (query !== 'none' && numbers(Number(query)) ? ['a'] : []), queries)
}

describe('compareEvaluations', () => {
  it('returns the mean difference and its confidence interval', async () => {
    const baseline = await finding((at) => at < 50)
    const candidate = await finding((at) => at >= 10 && at < 80)
    const compared = compareEvaluations(baseline, candidate)
    expect(compared).toMatchObject({ measure: 'recallAt5', queries: 100, better: 30, worse: 10 })
    expect(compared.difference).toBeCloseTo(0.2, 12)
    // 30 times +1, 10 times -1: the standard error is sqrt((0.4 - 0.2²) / 100) = 0.06
    expect(compared.interval.from).toBeGreaterThan(0.2 - 0.06 * 2.4)
    expect(compared.interval.from).toBeLessThan(0.2 - 0.06 * 1.6)
    expect(compared.interval.to).toBeGreaterThan(0.2 + 0.06 * 1.6)
    expect(compared.interval.to).toBeLessThan(0.2 + 0.06 * 2.4)
  })

  it('reverses the sign if baseline and candidate are swapped', async () => {
    const weak = await finding((at) => at < 50)
    const strong = await finding((at) => at < 80)
    expect(compareEvaluations(strong, weak).difference).toBeCloseTo(-0.3, 12)
    expect(compareEvaluations(strong, weak).interval.to).toBeLessThan(0)
  })

  it('has 0 in its interval if as many queries are better as worse', async () => {
    const baseline = await finding((at) => at < 50)
    const candidate = await finding((at) => at >= 50)
    const { difference, interval } = compareEvaluations(baseline, candidate)
    expect(difference).toBe(0)
    expect(interval.from).toBeLessThan(0)
    expect(interval.to).toBeGreaterThan(0)
  })

  it('finds no difference between equal evaluations', async () => {
    const same = await finding((at) => at % 3 === 0)
    expect(compareEvaluations(same, same)).toMatchObject({
      difference: 0,
      interval: { from: 0, to: 0 },
    })
  })

  it('returns the same interval only for the same seed', async () => {
    const baseline = await finding((at) => at < 50)
    const candidate = await finding((at) => at % 2 === 0)
    const draw = (seed: number) => compareEvaluations(baseline, candidate, { seed, draws: 99 })
    expect(draw(7)).toEqual(draw(7))
    expect([1, 2, 3].map((seed) => draw(seed).interval)).not.toEqual(
      [4, 5, 6].map((seed) => draw(seed).interval),
    )
  })

  it('compares by the given measure', async () => {
    const queries = [{ query: 'q', relevant: ['a'] }]
    const second = await evaluate(() => ['x', 'a'], queries)
    const first = await evaluate(() => ['a'], queries)
    expect(compareEvaluations(second, first).difference).toBe(0)
    expect(compareEvaluations(second, first, { measure: 'recallAt1' }).difference).toBe(1)
  })

  it('reports no difference if no query has relevant tools', async () => {
    const nothing = await evaluate(() => [], [{ query: 'q', relevant: [] }])
    expect(compareEvaluations(nothing, nothing)).toMatchObject({
      queries: 0,
      difference: 0,
      interval: { from: 0, to: 0 },
    })
  })

  it.each<[string, EvaluationQuery[], string]>([
    ['a different number of', [], 'Number of queries: 1 in the baseline, 0 in the candidate.'],
    [
      'different',
      [{ query: 'other', relevant: ['a'] }],
      'Query 1 is "q" in the baseline and "other"',
    ],
    [
      'differently labelled',
      [{ query: 'q', relevant: ['b'] }],
      'Query 1, "q", has different relevant',
    ],
    ['unlabelled', [{ query: 'q', relevant: [] }], 'Query 1, "q", has different relevant'],
  ])('rejects %s queries', async (_, queries, message) => {
    const baseline = await evaluate(() => [], [{ query: 'q', relevant: ['a'] }])
    const candidate = await evaluate(() => [], queries)
    const compare = () => compareEvaluations(baseline, candidate)
    expect(compare).toThrow(DifferentQueriesError)
    expect(compare).toThrow(message)
    expect(compare).toThrow(expect.objectContaining({ code: 'different_queries' }))
  })
})
