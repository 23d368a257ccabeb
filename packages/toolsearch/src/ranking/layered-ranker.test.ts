import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readServers } from '../../../../testing/catalogue/read-servers.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool } from '../catalogue/tool.ts'
import { cortexRanker } from '../presets/cortex/cortex-ranker.ts'
import { bigramRanker } from '../presets/dirge/bigram-ranker.ts'
import { termCountRanker } from '../presets/everruns/term-count-ranker.ts'
import { weightedTermsRanker } from '../presets/everruns/weighted-terms-ranker.ts'
import { nexoRanker } from '../presets/nexo/nexo-ranker.ts'
import { bm25Ranker } from './bm25-ranker.ts'
import { CONCEPTS, conceptVectors as vectors } from './concept-vectors.fixtures.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { filledLayers, filledRanker, rankingFacts } from './filled-ranker.fixtures.ts'
import { hybridRanker } from './hybrid-ranker.ts'
import { layeredRanker } from './layered-ranker.ts'
import { randomSearches } from './random-searches.fixtures.ts'
import { readWords } from './ranker.cases.ts'
import type { Ranker } from './ranker.ts'

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

const WORDS = [...CONCEPTS.flat(), 'send', 'list', 'sender', 'listing', 'create', 'köln', '文件']
// a prefix, a typing error and an unknown word depend on the vocabulary of all tools
const { tools, query, options } = randomSearches(WORDS, ['umbr', 'lettre', 'invioce', 'zzz'])

describe.each(kinds)('layeredRanker with the %s ranker', (_, create) => {
  it('ranks two layers exactly like one catalogue with all tools', async () => {
    await checkProperty(
      fc.property(tools, fc.nat(29), query, options, (tools, at, query, options) => {
        const [base, own] = [tools.slice(0, at), tools.slice(at)]
        const expected = filledRanker(create, tools).rank(readWords(query), options)
        const ranking = filledLayers(create, base, own).rank(readWords(query), options)
        expect(rankingFacts(ranking)).toEqual(rankingFacts(expected))
      }),
      { cases: 25 },
    )
  })

  it('ranks only accepted tools, as one catalogue does', async () => {
    await checkProperty(
      fc.property(tools, query, options, (tools, query, options) => {
        const accepts = (tool: Tool) => tool.name.length % 2 === 0
        const own = tools.filter((_, at) => at % 3 === 0)
        const base = tools.filter((tool) => !own.includes(tool))
        const all = filledRanker(create, [...base, ...own])
        const expected = all.rank(readWords(query), { ...options, accepts })
        const ranking = filledLayers(create, base, own).rank(readWords(query), {
          ...options,
          accepts,
        })
        expect(rankingFacts(ranking)).toEqual(rankingFacts(expected))
      }),
      { cases: 25 },
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
    const { hits, total, explain } = filledLayers(create, base, own).rank(
      readWords('send letter'),
      {
        limit: 10,
        ties: 'catalogue',
        explain: true,
      },
    )
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
    const one = filledRanker(() => fieldedRanker(), [...base, ...own])
    const two = filledLayers(() => fieldedRanker(), base, own)
    for (const text of ['send a message', 'will it rain tomorrow', 'open isues', 'invite people']) {
      const options = { limit: 10, ties: 'name', explain: true } as const
      const expected = one.rank(readWords(text), options)
      expect(expected.hits.length).toBeGreaterThan(0)
      expect(rankingFacts(two.rank(readWords(text), options))).toEqual(rankingFacts(expected))
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
