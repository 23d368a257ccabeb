import { expect, it } from 'vitest'
import { type Evaluation, evaluate } from './evaluate.ts'
import type { FoundTools } from './evaluated-search.ts'
import { reliability } from './reliability.ts'

/** Evaluates one query per answer. The relevant tools are `a` and `b`; `null` means there are none. */
async function resultsOf(
  ...answers: [answer: FoundTools, relevant?: null][]
): Promise<Evaluation['results']> {
  let at = 0
  const queries = answers.map(([, relevant], index) => ({
    query: `${index}`,
    relevant: relevant === null ? [] : ['a', 'b'],
  }))
  return (await evaluate(() => answers[at++]![0], queries)).results
}

it('counts how often a relevant tool is among the first five, per level', async () => {
  const results = await resultsOf(
    [{ names: ['x', 'a'], confidence: 'high' }],
    [{ names: ['x'], confidence: 'low' }, null],
    [{ names: ['v', 'w', 'x', 'y', 'z', 'a'], confidence: 'high' }],
    [{ names: ['b'], confidence: 'high' }],
    [{ names: ['x'], confidence: 'high' }, null],
  )
  expect(reliability(results)).toEqual({
    levels: [
      { confidence: 'high', queries: 4, unserved: 1, right: 0.5 },
      { confidence: 'low', queries: 1, unserved: 1, right: 0 },
    ],
    tenths: [],
  })
})

it('compares stated probabilities with the actual share, per tenth', async () => {
  const results = await resultsOf(
    [{ names: ['a'], probability: 1 }],
    [{ names: ['x'], probability: 0.9 }],
    [{ names: ['a'], probability: 0.25 }],
  )
  const { levels, tenths } = reliability(results)
  expect(levels).toEqual([])
  expect(tenths).toEqual([
    { from: 0.9, to: 1, queries: 2, unserved: 0, stated: 0.95, right: 0.5 },
    { from: 0.2, to: 0.3, queries: 1, unserved: 0, stated: 0.25, right: 1 },
  ])
})

it('skips results without a stated confidence', async () => {
  expect(reliability(await resultsOf([{ names: ['a'] }]))).toEqual({ levels: [], tenths: [] })
})
