import { createToolSearch } from 'toolsearch'
import { fieldedRanker } from 'toolsearch/rankers'
import { expect, it } from 'vitest'
import { collectSamples } from './confidence-samples.ts'
import { createSimilarTools } from './similar-tools.ts'
import type { TuningSet } from './tuning-sets.ts'

/** Texts are similar if they share their first letter. */
const similar = createSimilarTools({
  embed: (text) =>
    Float32Array.from({ length: 128 }, (_, at) => Number(text.trim().charCodeAt(0) === at)),
})

function setOf(name: string, half: 'one' | 'two', names: string[], unserved: string[] = []) {
  const { catalogue } = createToolSearch({ tools: names.map((tool) => ({ name: tool })) })
  const set: TuningSet = {
    name,
    half,
    group: 'english',
    weight: 1,
    tools: catalogue.tools(),
    queries: names.map((tool) => ({ query: tool.replaceAll('_', ' '), relevant: [tool] })),
    unserved: unserved.map((query) => ({ query, relevant: [] })),
  }
  return set
}

const files = setOf('files', 'one', ['read_file', 'rename_file', 'write_file'], ['order a pizza'])
const chat = setOf('chat', 'one', ['post_message', 'write_message', 'mute_channel'])
const mail = setOf('mail', 'two', ['send_mail', 'label_mail'])

const samples = collectSamples([files, chat, mail], {
  create({ tools }) {
    const ranker = fieldedRanker()
    for (const tool of tools) ranker.set(tool)
    return ranker
  },
  similar,
  unservedShare: 0.5,
})
const of = (set: string, kind: string) =>
  samples.filter((sample) => sample.set === set && sample.kind === kind)

it('marks served queries as right if a relevant tool is found', () => {
  expect(of('files', 'served')).toHaveLength(3)
  expect(of('files', 'served')[0]).toMatchObject({ half: 'one', isRight: true })
  expect(of('files', 'served')[0]!.features!.words).toBeGreaterThan(0)
})

it('hides relevant and similar tools, so that nothing is right', () => {
  const [hidden] = of('files', 'hidden')
  expect(hidden!.isRight).toBe(false)
  // read_file and rename_file are hidden, so "file" of write_file is the best match
  expect(hidden!.features!.words).toBeLessThan(of('files', 'served')[0]!.features!.words!)
})

it('takes foreign queries from the same half, without those that a similar tool serves', () => {
  expect(of('mail', 'foreign')).toEqual([])
  expect(of('files', 'foreign').length).toBeGreaterThan(0)
  expect(of('files', 'foreign').every(({ isRight }) => !isRight)).toBe(true)
})

it('has no features for a search without results', () => {
  expect(of('files', 'none')).toEqual([{ set: 'files', half: 'one', kind: 'none', isRight: false }])
})
