import { describe, expect, it } from 'vitest'
import { scoreQuery } from './score-query.ts'

const label = [new Set(['a'])]
const two = [new Set(['a']), new Set(['b', 'c'])]

describe('scoreQuery', () => {
  it('returns the maximum if the right tool is first', () => {
    expect(scoreQuery(['a', 'x'], label)).toEqual({
      recallAt1: 1,
      recallAt5: 1,
      recallAt10: 1,
      ndcgAt5: 1,
      allIn5: 1,
    })
  })

  it('returns 0 if nothing was found', () => {
    expect(scoreQuery([], two)).toEqual({
      recallAt1: 0,
      recallAt5: 0,
      recallAt10: 0,
      ndcgAt5: 0,
      allIn5: 0,
    })
  })

  it.each([
    [1, { recallAt1: 1, recallAt5: 1, recallAt10: 1 }],
    [2, { recallAt1: 0, recallAt5: 1, recallAt10: 1 }],
    [5, { recallAt1: 0, recallAt5: 1, recallAt10: 1 }],
    [6, { recallAt1: 0, recallAt5: 0, recallAt10: 1 }],
    [10, { recallAt1: 0, recallAt5: 0, recallAt10: 1 }],
    [11, { recallAt1: 0, recallAt5: 0, recallAt10: 0 }],
  ])('computes recall at 1, 5 and 10 for position %i', (position, recall) => {
    const found = Array.from({ length: 12 }, (_, at) => (at === position - 1 ? 'a' : `x${at}`))
    expect(scoreQuery(found, label)).toMatchObject(recall)
  })

  it('computes recall as the share of labels found', () => {
    expect(scoreQuery(['a', 'x'], two)).toMatchObject({ recallAt1: 0.5, recallAt5: 0.5, allIn5: 0 })
    expect(scoreQuery(['a', 'x', 'c'], two)).toMatchObject({ recallAt5: 1, allIn5: 1 })
  })

  it('counts a label once, at its best-ranked tool', () => {
    // the best possible is 1 + 1/log2(3); "b" is at position 2 and "c" adds nothing to it
    const best = 1 + 1 / Math.log2(3)
    expect(scoreQuery(['x', 'b', 'c'], two).ndcgAt5).toBeCloseTo(1 / Math.log2(3) / best, 12)
    expect(scoreQuery(['x', 'b', 'c'], two).recallAt5).toBe(0.5)
  })

  it.each([
    [1, 1],
    [2, 0.6309297535714575],
    [3, 0.5],
    [5, 0.38685280723454163],
    [6, 0],
  ])('discounts a single label at position %i to %f', (position, ndcg) => {
    const found = [...Array.from({ length: position - 1 }, (_, at) => `x${at}`), 'a']
    expect(scoreQuery(found, label).ndcgAt5).toBeCloseTo(ndcg, 12)
  })

  it('normalises nDCG@5 by at most five labels', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const labels = names.map((name) => new Set([name]))
    const scores = scoreQuery(names, labels)
    expect(scores.ndcgAt5).toBe(1)
    expect(scores.recallAt5).toBeCloseTo(5 / 7, 12)
    expect(scores.allIn5).toBe(0)
  })

  it('never exceeds 1 if one tool matches two labels', () => {
    const overlapping = [new Set(['a', 'b']), new Set(['a', 'c'])]
    expect(scoreQuery(['a'], overlapping)).toMatchObject({ recallAt1: 1, ndcgAt5: 1 })
  })
})
