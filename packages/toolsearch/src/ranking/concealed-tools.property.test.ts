import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool } from '../catalogue/tool.ts'
import { lexiconBytes } from '../languages/lexicon.fixtures.ts'
import { createLexicon } from '../languages/lexicon.ts'
import { createToolSearch } from '../toolsearch.ts'
import { bm25Ranker } from './bm25-ranker.ts'
import { CONCEPTS, conceptVectors as vectors } from './concept-vectors.fixtures.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { filledLayers, filledRanker, rankingFacts } from './filled-ranker.fixtures.ts'
import { hybridRanker } from './hybrid-ranker.ts'
import { randomSearches } from './random-searches.fixtures.ts'
import { readWords } from './ranker.cases.ts'
import type { Ranker } from './ranker.ts'
import { translatingRanker } from './translating-ranker.ts'

const lexicon = createLexicon(lexiconBytes())

const kinds: readonly (readonly [string, () => Ranker])[] = [
  ['fielded', () => fieldedRanker()],
  ['bm25', () => bm25Ranker()],
  ['hybrid', () => hybridRanker({ vectors })],
  ['hybrid over bm25', () => hybridRanker({ vectors, lexical: bm25Ranker() })],
  ['translating', () => translatingRanker({ ranker: fieldedRanker(), lexicon })],
]

// the names of products, prefixes, typing errors and other languages depend on what other tools contain
const WORDS = [...CONCEPTS.flat(), 'send', 'list', 'sender', 'zendesk', 'github', 'datei', 'wetter']
const { tools, query, options } = randomSearches(WORDS, [
  'umbr',
  'lettre',
  'invioce',
  'zzz',
  'Lies die Datei',
])
const concealed = fc.uniqueArray(fc.nat(29), { maxLength: 20 })

describe.each(kinds)('the %s ranker', (_, create) => {
  it('ranks as if concealed tools did not exist', async () => {
    await checkProperty(
      fc.property(tools, concealed, query, options, (tools, concealed, query, options) => {
        const visible = tools.filter((_, at) => !concealed.includes(at))
        const isVisible = (tool: Tool) => visible.includes(tool)
        const expected = filledRanker(create, visible).rank(readWords(query), options)
        const ranking = filledRanker(create, tools).rank(readWords(query), {
          ...options,
          accepts: isVisible,
          isVisible,
        })
        expect(rankingFacts(ranking)).toEqual(rankingFacts(expected))
      }),
      { cases: 25 },
    )
  })

  it('ranks two layers as if concealed tools did not exist in either', async () => {
    await checkProperty(
      fc.property(tools, concealed, query, options, (tools, concealed, query, options) => {
        const visible = tools.filter((_, at) => !concealed.includes(at))
        const isVisible = (tool: Tool) => visible.includes(tool)
        const ranking = layered(tools).rank(readWords(query), {
          ...options,
          accepts: isVisible,
          isVisible,
        })
        const expected = layered(visible).rank(readWords(query), options)
        expect(rankingFacts(ranking)).toEqual(rankingFacts(expected))
      }),
      { cases: 25 },
    )

    function layered(all: readonly Tool[]) {
      const own = all.filter(({ name }) => name.length % 3 === 0)
      const base = all.filter((tool) => !own.includes(tool))
      return filledLayers(create, base, own)
    }
  })

  it('follows changes of the tools', () => {
    const read = (name: string, description: string) => readDefinition({ name, description })
    const ranker = filledRanker(create, [
      read('send_mail', 'Send mail'),
      read('list_mail', 'List mail'),
    ])
    const isVisible = () => true
    const rank = () =>
      rankingFacts(ranker.rank(readWords('send mail'), { limit: 9, ties: 'name', isVisible }))
    const before = rank()
    ranker.set(read('send_letter', 'Send a letter'))
    expect(rank().hits).toHaveLength(before.hits.length + 1)
    ranker.delete('send_letter')
    expect(rank()).toEqual(before)
  })
})

describe('a session with restricted tools', () => {
  it('answers every search like one whose catalogue lacks the others', async () => {
    await checkProperty(
      fc.asyncProperty(tools, concealed, query, async (tools, concealed, query) => {
        const visible = tools.filter((_, at) => !concealed.includes(at))
        const names = visible.map(({ name }) => name)
        const all = await createToolSearch({ tools }).session('a', { visible: names })
        const few = await createToolSearch({ tools: visible }).session('a', { visible: names })
        for (const text of [query, `+${query}`, `select:${query.replaceAll(' ', ',')}`]) {
          const [one, other] = [
            await all.search({ query: text }),
            await few.search({ query: text }),
          ]
          expect(one.answer.text).toBe(other.answer.text)
        }
      }),
      { cases: 25 },
    )
  })
})
