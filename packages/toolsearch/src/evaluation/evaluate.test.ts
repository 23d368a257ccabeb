import { describe, expect, it } from 'vitest'
import { evaluate, type FoundTools } from './evaluate.ts'
import type { EvaluationQuery } from './evaluation-set.ts'

/** A search with fixed answers. */
function fixedSearch(answers: Record<string, readonly string[]>) {
  return (query: string) => answers[query] ?? []
}

describe('evaluate', () => {
  it('returns the means over the queries with relevant tools', async () => {
    const search = fixedSearch({ one: ['a'], two: ['x', 'b'], three: ['x'], four: ['c', 'x', 'd'] })
    const { all } = await evaluate(search, [
      { query: 'one', relevant: ['a'] },
      { query: 'two', relevant: ['b'] },
      { query: 'three', relevant: ['e'] },
      { query: 'four', relevant: ['c', 'd'] },
      { query: 'none', relevant: [] },
    ])
    expect(all).toMatchObject({ queries: 5, served: 4, unserved: 1 })
    // R@1: 1, 0, 0, 0.5; R@5: 1, 1, 0, 1
    expect(all.scores).toMatchObject({ recallAt1: 0.375, recallAt5: 0.75, recallAt10: 0.75 })
    expect(all.scores!.allIn5).toBe(0.75)
    // nDCG@5: 1, 1/log2(3), 0, (1 + 1/2) / (1 + 1/log2(3))
    const third = 1 / Math.log2(3)
    expect(all.scores!.ndcgAt5).toBeCloseTo((1 + third + 1.5 / (1 + third)) / 4, 12)
  })

  it('reports how often a search is doubted, correctly and wrongly', async () => {
    const search = fixedSearch({ noise: ['x'], served: ['a'] })
    const { all } = await evaluate(search, [
      { query: 'silence 1', relevant: [] },
      { query: 'silence 2', relevant: [] },
      { query: 'noise', relevant: [] },
      { query: 'served', relevant: ['a'] },
      { query: 'missed', relevant: ['a'] },
    ])
    expect(all.doubted).toBeCloseTo(2 / 3, 12)
    expect(all.wronglyDoubted).toBe(0.5)
    expect(all.doubtPrecision).toBeCloseTo(2 / 3, 12)
    expect(all).not.toHaveProperty('reliability')
    expect(all.scores!.recallAt5).toBe(0.5)
  })

  it('counts candidates as found, and how often each level of confidence is right', async () => {
    const answers: Record<string, FoundTools> = {
      sure: { names: ['a'], confidence: 'high' },
      wrong: { names: ['x'], confidence: 'high' },
      doubtful: { names: ['x', 'a'], confidence: 'low' },
      none: { names: ['x'], confidence: 'low' },
    }
    const { all, results } = await evaluate(
      (query) => answers[query]!,
      Object.keys(answers).map((query) => ({ query, relevant: query === 'none' ? [] : ['a'] })),
    )
    expect(results[2]).toMatchObject({ found: ['x', 'a'], confidence: 'low' })
    expect(all).toMatchObject({ doubted: 1, wronglyDoubted: 1 / 3, doubtPrecision: 0.5 })
    expect(all.reliability).toEqual({
      high: { queries: 2, right: 0.5 },
      low: { queries: 2, right: 0.5 },
    })
    expect(all.scores?.recallAt5).toBeCloseTo(2 / 3, 12)
  })

  it('omits figures without data', async () => {
    const { all } = await evaluate(fixedSearch({ q: ['a'] }), [{ query: 'q', relevant: ['a'] }])
    expect(all).not.toHaveProperty('doubted')
    expect(all).not.toHaveProperty('doubtPrecision')
    const silent = await evaluate(fixedSearch({}), [{ query: 'q', relevant: [] }])
    expect(silent.all).not.toHaveProperty('scores')
    expect(silent.all).toMatchObject({ doubted: 1, doubtPrecision: 1 })
    expect((await evaluate(fixedSearch({}), [])).all).toEqual({
      queries: 0,
      served: 0,
      unserved: 0,
    })
  })

  it('reports figures per kind, in order of first occurrence', async () => {
    const { all, kinds } = await evaluate(fixedSearch({ a1: ['a'], b1: ['b'] }), [
      { query: 'b1', relevant: ['b'], kind: 'second letter' },
      { query: 'a1', relevant: ['a'], kind: 'first letter' },
      { query: 'b2', relevant: ['b'], kind: 'second letter' },
      { query: 'c', relevant: ['c'] },
    ])
    expect(kinds.map(({ kind, queries, scores }) => [kind, queries, scores?.recallAt5])).toEqual([
      ['second letter', 2, 0.5],
      ['first letter', 1, 1],
    ])
    expect(all.queries).toBe(4)
  })

  it('returns the tools found for each query, in order', async () => {
    const queries: EvaluationQuery[] = [
      { query: 'one', relevant: ['a'] },
      { query: 'none', relevant: [] },
    ]
    const { results } = await evaluate(fixedSearch({ one: ['x', 'a'] }), queries)
    expect(results.map(({ query, found }) => [query, found])).toEqual([
      [queries[0], ['x', 'a']],
      [queries[1], []],
    ])
    expect(results[0]!.scores).toMatchObject({ recallAt1: 0, recallAt5: 1 })
    expect(results[1]).not.toHaveProperty('scores')
  })

  it('requests ten tools by default and ignores the rest', async () => {
    const asked: number[] = []
    const search = (_: string, limit: number) => {
      asked.push(limit)
      return ['x', 'y', 'z', 'a']
    }
    const queries = [{ query: 'q', relevant: ['a'] }]
    expect((await evaluate(search, queries)).all.scores!.recallAt5).toBe(1)
    const short = await evaluate(search, queries, { limit: 3 })
    expect(short.all.scores!.recallAt5).toBe(0)
    expect(short.results[0]!.found).toEqual(['x', 'y', 'z'])
    expect(asked).toEqual([10, 3])
  })

  it('measures each search with the given clock until its promise settles', async () => {
    let time = 0
    let next = 0
    const search = async () => {
      await Promise.resolve()
      time += ++next
      return []
    }
    const queries = Array.from({ length: 200 }, (_, at) => ({ query: `${at}`, relevant: [] }))
    const { all, results } = await evaluate(search, queries, { now: () => time })
    expect(results.slice(0, 3).map((result) => result.milliseconds)).toEqual([1, 2, 3])
    expect(all).toMatchObject({ p50: 100, p99: 198 })
  })

  it('rejects if the search throws', async () => {
    const search = () => {
      throw new Error('index lost')
    }
    await expect(evaluate(search, [{ query: 'q', relevant: [] }])).rejects.toThrow('index lost')
  })
})
