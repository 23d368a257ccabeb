import { evaluate, type FoundTools, reliability } from 'toolsearch/evaluation'
import { expect, it } from 'vitest'
import { type Minimums, missedMinimums } from './minimums.ts'

const answers: Record<string, FoundTools> = {
  right: { names: ['a'], confidence: 'high' },
  wrong: { names: ['x'], confidence: 'high' },
  doubtful: { names: ['a'], confidence: 'low' },
  noise: { names: ['x'], confidence: 'low' },
}
const served = ['right', 'wrong', 'doubtful', 'empty'].map((query) => ({ query, relevant: ['a'] }))
const unserved = ['noise', 'silence'].map((query) => ({ query, relevant: [] }))

async function missed(minimums: Minimums, queries = [...served, ...unserved]): Promise<string[]> {
  const { all, results } = await evaluate((query) => answers[query] ?? [], queries)
  return missedMinimums(minimums, all, reliability(results))
}

it('accepts figures that reach their bounds', async () => {
  const minimums: Minimums = {
    'min-recall': 0.5,
    'max-unanswered': 0.25,
    'max-doubted': 0.5,
    'min-doubted': 1,
    'min-abstention': 0.5,
    'min-reliability': 0.5,
  }
  expect(await missed(minimums)).toEqual([])
  expect(await missed({})).toEqual([])
})

it('explains every bound that is missed', async () => {
  expect(await missed({ 'min-recall': 0.51, 'max-unanswered': 0.2 })).toEqual([
    'R@5 is 0.5000, below --min-recall 0.51.',
    'The share of queries with a relevant tool that got no result is 0.2500, above --max-unanswered 0.2.',
  ])
  expect(await missed({ 'max-doubted': 0.4, 'min-reliability': 0.95 })).toHaveLength(2)
})

it('rejects a bound without a figure', async () => {
  await expect(missed({ 'min-doubted': 0 }, served)).rejects.toThrow(
    '--min-doubted: the set has no queries to check',
  )
  await expect(missed({ 'min-reliability': 0 }, unserved)).rejects.toThrow('--min-reliability')
})
