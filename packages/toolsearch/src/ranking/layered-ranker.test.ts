import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readServers } from '../../../../testing/catalogue/read-servers.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool } from '../catalogue/tool.ts'
import { cortexRanker } from '../presets/cortex/cortex-ranker.ts'
import { bigramRanker } from '../presets/dirge/bigram-ranker.ts'
import { termCountRanker } from '../presets/everruns/term-count-ranker.ts'
import { weightedTermsRanker } from '../presets/everruns/weighted-terms-ranker.ts'
import { nexoRanker } from '../presets/nexo/nexo-ranker.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { bm25Ranker } from './bm25-ranker.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { hybridRanker } from './hybrid-ranker.ts'
import { layeredRanker } from './layered-ranker.ts'
import { readWords } from './ranker.cases.ts'
import type { Ranker, Ranking, RankOptions } from './ranker.ts'

const CONCEPTS = [
  ['weather', 'rain', 'umbrella'],
  ['mail', 'letter', 'envelope'],
  ['invoice', 'money', 'payment'],
  ['music', 'radio', 'guitar'],
]

/** Words of one line have the same direction, and every line is a topic too. */
const vectors: TextVectors = {
  id: 'concepts',
  dimensions: 8,
  topics: CONCEPTS.map(([first]) => first!),
  embed(text) {
    const vector = new Float32Array(8)
    const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
    for (const word of words) {
      const concept = CONCEPTS.findIndex((list) => list.includes(word))
      vector[concept < 0 ? 4 + (word.length % 4) : concept]! += concept < 0 ? 0.3 : 1
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector : vector.map((value) => value / length)
  },
}

const kinds: readonly (readonly [string, () => Ranker])[] = [
  ['fielded', () => fieldedRanker()],
  ['bm25', () => bm25Ranker()],
  ['hybrid', () => hybridRanker({ vectors })],
  ['hybrid over bm25', () => hybridRanker({ vectors, lexical: bm25Ranker() })],
  ['nexo', () => nexoRanker()],
  ['cortex', cortexRanker],
  ['bigram', bigramRanker],
  ['term-count', termCountRanker],
  ['weighted-terms', weightedTermsRanker],
]

function filled(create: () => Ranker, tools: readonly Tool[]): Ranker {
  const ranker = create()
  for (const tool of tools) ranker.set(tool)
  return ranker
}

function layered(create: () => Ranker, base: readonly Tool[], own: readonly Tool[]) {
  const names = own.map(({ name }) => name)
  const order = [...new Set([...base, ...own].map(({ name }) => name))]
  return layeredRanker({
    base: filled(create, base),
    own: filled(create, own),
    isOwn: (name) => names.includes(name),
    placeOf: (name) => order.indexOf(name),
  })
}

/** Everything a ranking says, with the explanation of each hit. */
function facts({ hits, explain, peaks: _, ...rest }: Ranking) {
  return {
    ...rest,
    hits: hits.map(({ tool, score }) => [tool.name, tool.description, score]),
    parts: hits.map(({ tool }) => explain?.(tool.name)),
  }
}

const WORDS = [...CONCEPTS.flat(), 'send', 'list', 'sender', 'listing', 'create', 'köln', '文件']
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
const tool = fc
  .record({ name: words, description: words })
  .map(({ name, description }) =>
    readDefinition({ name: name.join('_'), description: description.join(' ') }),
  )
const tools = fc.uniqueArray(tool, { selector: ({ name }) => name, minLength: 2, maxLength: 24 })
// a prefix, a typing error and an unknown word depend on the vocabulary of all tools
const query = fc
  .array(fc.constantFrom(...WORDS, 'umbr', 'lettre', 'invioce', 'zzz'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((list) => list.join(' '))
const options: fc.Arbitrary<RankOptions> = fc.record({
  limit: fc.constantFrom(1, 3, 100),
  ties: fc.constantFrom('name', 'catalogue'),
  explain: fc.constant(true),
})

describe.each(kinds)('layeredRanker with the %s ranker', (_, create) => {
  it('ranks two layers exactly like one catalogue with all tools', () => {
    fc.assert(
      fc.property(tools, fc.nat(23), query, options, (tools, at, query, options) => {
        const [base, own] = [tools.slice(0, at), tools.slice(at)]
        const expected = filled(create, tools).rank(readWords(query), options)
        const ranking = layered(create, base, own).rank(readWords(query), options)
        expect(facts(ranking)).toEqual(facts(expected))
      }),
      { numRuns: 150 },
    )
  })

  it('ranks only accepted tools, as one catalogue does', () => {
    fc.assert(
      fc.property(tools, query, options, (tools, query, options) => {
        const accepts = (tool: Tool) => tool.name.length % 2 === 0
        const own = tools.filter((_, at) => at % 3 === 0)
        const base = tools.filter((tool) => !own.includes(tool))
        const all = filled(create, [...base, ...own])
        const expected = all.rank(readWords(query), { ...options, accepts })
        const ranking = layered(create, base, own).rank(readWords(query), { ...options, accepts })
        expect(facts(ranking)).toEqual(facts(expected))
      }),
      { numRuns: 100 },
    )
  })

  it('returns an own tool instead of the one it replaces, and puts it in the same place', () => {
    const read = (name: string, description: string) => readDefinition({ name, description })
    const base = [
      read('mail_a', 'Send one letter'),
      read('mail_b', 'Secret letter'),
      read('mail_c', 'Send one letter'),
    ]
    const own = [read('mail_d', 'Send one letter'), read('mail_b', 'Send one letter')]
    const { hits, total, explain } = layered(create, base, own).rank(readWords('send letter'), {
      limit: 10,
      ties: 'catalogue',
      explain: true,
    })
    expect(hits.map(({ tool }) => tool.name)).toEqual(['mail_a', 'mail_b', 'mail_c', 'mail_d'])
    expect(hits.map(({ tool }) => tool.description)).not.toContain('Secret letter')
    expect(total).toBe(4)
    const weights = (name: string) => explain?.(name).map(({ weight }) => weight)
    expect(weights('mail_b')).toEqual(weights('mail_d'))
  })
})

describe('layeredRanker', () => {
  it('finds the same tools of real servers, wherever they are', () => {
    const servers = ['chat', 'mail', 'calendar', 'drive', 'forge', 'tracker', 'db', 'weather']
    const all = readServers(Object.fromEntries(servers.map((name) => [name, name]))).map(
      (definition) => readDefinition(definition),
    )
    const own = all.filter(({ source }) => source === 'mcp:mail' || source === 'mcp:weather')
    const base = all.filter((tool) => !own.includes(tool))
    expect(own.length).toBeGreaterThan(10)
    const one = filled(() => fieldedRanker(), [...base, ...own])
    const two = layered(() => fieldedRanker(), base, own)
    for (const text of ['send a message', 'will it rain tomorrow', 'open isues', 'invite people']) {
      const options = { limit: 10, ties: 'name', explain: true } as const
      const expected = one.rank(readWords(text), options)
      expect(expected.hits.length).toBeGreaterThan(0)
      expect(facts(two.rank(readWords(text), options))).toEqual(facts(expected))
    }
  })

  it('scales the scores of rankers that only tell their ideal score', () => {
    const fixed = (name: string, score: number, idealScore: number): Ranker => ({
      name: 'fixed',
      set() {},
      delete() {},
      rank: () => ({
        hits: [{ tool: readDefinition({ name }), score }],
        idealScore,
        minConfidentScore: idealScore / 2,
        confidence: score / idealScore,
        explain: () => [{ term: 'x', field: 'name', match: 'word', weight: score }],
      }),
    })
    const ranker = layeredRanker({
      base: fixed('shared', 4, 10),
      own: fixed('own', 0.9, 1),
      isOwn: (name) => name === 'own',
      placeOf: () => 0,
    })
    const ranking = ranker.rank(readWords('x'), { limit: 2, ties: 'name', explain: true })
    expect(ranking.hits.map(({ tool, score }) => [tool.name, score])).toEqual([
      ['own', 9],
      ['shared', 4],
    ])
    expect(ranking).toMatchObject({ idealScore: 10, minConfidentScore: 5, confidence: 0.9 })
    expect(ranking.explain?.('own')[0]?.weight).toBe(9)
  })

  it('prepares both rankers', async () => {
    const prepared: string[] = []
    const remote = (name: string): Ranker => ({
      ...fieldedRanker(),
      prepare: async (text) => void prepared.push(`${name}: ${text}`),
    })
    const options = { isOwn: () => false, placeOf: () => 0 }
    await layeredRanker({ base: remote('base'), own: remote('own'), ...options }).prepare!('rain')
    expect(prepared).toEqual(['base: rain', 'own: rain'])
  })
})
