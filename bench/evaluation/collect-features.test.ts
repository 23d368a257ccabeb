import { createToolSearch } from 'toolsearch'
import { fieldedRanker, type Ranker } from 'toolsearch/rankers'
import { expect, it } from 'vitest'
import { collectFeatures } from './collect-features.ts'

function rankerOf(...names: string[]): Ranker {
  const { catalogue } = createToolSearch({ tools: names.map((name) => ({ name })) })
  const ranker = fieldedRanker()
  for (const tool of catalogue.tools()) ranker.set(tool)
  return ranker
}

it('reads the evidence of the ranking, which consists of finite numbers', () => {
  const ranker = rankerOf('send_mail', 'read_mail', 'list_files')
  const clear = collectFeatures(ranker, 'send mail')
  expect(clear.names[0]).toBe('send_mail')
  expect(clear.features).toMatchObject({ words: 1 })
  expect(Object.values(clear.features!).every(Number.isFinite)).toBe(true)
})

it('has no features without hits', () => {
  expect(collectFeatures(rankerOf('send_mail'), 'xyzzy')).toEqual({ names: [] })
  expect(collectFeatures(rankerOf('send_mail'), '')).toEqual({ names: [] })
})
