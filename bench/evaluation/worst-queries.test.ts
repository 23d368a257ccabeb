import { evaluate, type FoundTools } from 'toolsearch/evaluation'
import { expect, it } from 'vitest'
import { worstQueries } from './worst-queries.ts'

it('lists missed tools before low-ranked ones, and leaves out perfect results', async () => {
  const answers: Record<string, string[] | FoundTools> = {
    late: ['x', 'a'],
    right: ['a'],
    noise: ['x'],
    'doubtful noise': { names: ['x'], confidence: 'low' },
  }
  const { results } = await evaluate(
    (query) => answers[query] ?? [],
    [
      { query: 'right', relevant: ['a'] },
      { query: 'silence', relevant: [] },
      { query: 'late', relevant: ['a', 'b'], groups: [['a', 'b']] },
      { query: 'missed', relevant: ['a', 'b'] },
      { query: 'noise', relevant: [] },
      { query: 'doubtful noise', relevant: [] },
    ],
  )
  expect(worstQueries(results, 9)).toEqual([
    { query: 'missed', expected: [['a'], ['b']], got: [] },
    { query: 'noise', expected: [], got: ['x'] },
    { query: 'late', expected: [['a', 'b']], got: ['x', 'a'] },
  ])
  expect(worstQueries(results, 1)).toHaveLength(1)
})
