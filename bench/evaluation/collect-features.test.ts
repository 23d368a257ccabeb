import { createToolSearch, fieldedRanker, type Ranker } from 'toolsearch'
import { expect, it } from 'vitest'
import { collectFeatures } from './collect-features.ts'

function rankerOf(...names: string[]): Ranker {
  const { catalogue } = createToolSearch({ tools: names.map((name) => ({ name })) })
  const ranker = fieldedRanker()
  for (const tool of catalogue.tools()) ranker.set(tool)
  return ranker
}

it('describes how clear a match is with finite numbers', () => {
  const ranker = rankerOf('send_mail', 'read_mail', 'list_files')
  const clear = collectFeatures(ranker, 'send mail')
  expect(clear.names[0]).toBe('send_mail')
  expect(Object.values(clear.features!).every(Number.isFinite)).toBe(true)
})

it('passes on the evidence of a ranker that has some', () => {
  const ranker = rankerOf('send_mail')
  const evident: Ranker = {
    ...ranker,
    rank: (query, options) => ({ ...ranker.rank(query, options), evidence: { words: 0.5 } }),
  }
  expect(collectFeatures(evident, 'send mail').features).toEqual({ words: 0.5 })
})

it('has no features without hits', () => {
  expect(collectFeatures(rankerOf('send_mail'), 'xyzzy')).toEqual({ names: [] })
  expect(collectFeatures(rankerOf('send_mail'), '')).toEqual({ names: [] })
})
