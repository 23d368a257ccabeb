import { expect, it } from 'vitest'
import type { SetFigures } from './retrieval-report.ts'
import { shortfalls } from './shortfalls.ts'

function setOf(name: string, recalls: Record<string, number | string>): SetFigures {
  return {
    name,
    tools: 1,
    queries: 1,
    rows: Object.entries(recalls).map(([row, value]) => ({
      name: row,
      side: row[0] === row[0]!.toUpperCase() ? 'peer' : 'ours',
      ...(typeof value === 'string'
        ? { failure: value }
        : { recallAt1: 0, recallAt5: value, ndcgAt5: 0, p50Ms: 1, buildMs: 1 }),
    })),
  }
}

it('compares with plain BM25 and with the best peer of the set', () => {
  const first = setOf('first', { fielded: 0.5, hybrid: 0.8, bm25: 0.75, Ratel: 0.7 })
  const second = setOf('second', {
    fielded: 0.5,
    hybrid: 0.8,
    bm25: 0.25,
    Ratel: 0.75,
    Mastra: 0.6,
  })
  expect(shortfalls([first, second])).toEqual([
    { name: 'fielded', set: 'first', than: 'bm25', difference: -0.25 },
    { name: 'fielded', set: 'second', than: 'Ratel', difference: -0.25 },
  ])
})

it('ignores rankers of other systems, equal figures and contenders that failed', () => {
  const set = setOf('s', {
    hybrid: 0.8,
    nexo: 0.1,
    fielded: 'timed out',
    bm25: 0.8,
    Ratel: 'failed',
  })
  expect(shortfalls([set])).toEqual([])
})

it('needs something to compare with', () => {
  expect(shortfalls([setOf('s', { hybrid: 0.8, Ratel: 'failed' })])).toEqual([])
})
