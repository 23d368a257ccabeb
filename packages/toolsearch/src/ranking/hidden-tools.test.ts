import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool } from '../catalogue/tool.ts'
import { lexiconBytes } from '../languages/lexicon.fixtures.ts'
import { createLexicon } from '../languages/lexicon.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { createToolSearch } from '../toolsearch.ts'
import { bm25Ranker } from './bm25-ranker.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { hybridRanker } from './hybrid-ranker.ts'
import { layeredRanker } from './layered-ranker.ts'
import { readWords } from './ranker.cases.ts'
import type { Ranker, Ranking, RankOptions } from './ranker.ts'
import { translatingRanker } from './translating-ranker.ts'

const CONCEPTS = [
  ['weather', 'rain', 'umbrella'],
  ['mail', 'letter', 'envelope'],
  ['invoice', 'money', 'payment'],
]

/** Words of one line have the same direction, and every line is a topic too. */
const vectors: TextVectors = {
  id: 'concepts',
  dimensions: 8,
  topics: CONCEPTS.map(([first]) => first!),
  embed(text) {
    const vector = new Float32Array(8)
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      const concept = CONCEPTS.findIndex((list) => list.includes(word))
      vector[concept < 0 ? 4 + (word.length % 4) : concept]! += concept < 0 ? 0.3 : 1
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector : vector.map((value) => value / length)
  },
}
const lexicon = createLexicon(lexiconBytes())

const kinds: readonly (readonly [string, () => Ranker])[] = [
  ['fielded', () => fieldedRanker()],
  ['bm25', () => bm25Ranker()],
  ['hybrid', () => hybridRanker({ vectors })],
  ['hybrid over bm25', () => hybridRanker({ vectors, lexical: bm25Ranker() })],
  ['translating', () => translatingRanker({ ranker: fieldedRanker(), lexicon })],
]

function filled(create: () => Ranker, tools: readonly Tool[]): Ranker {
  const ranker = create()
  for (const tool of tools) ranker.set(tool)
  return ranker
}

/** Everything a ranking says, with the explanation of each hit. */
function facts({ hits, explain, peaks: _, ...rest }: Ranking) {
  return {
    ...rest,
    hits: hits.map(({ tool, score }) => [tool.name, score]),
    parts: hits.map(({ tool }) => explain?.(tool.name)),
  }
}

// the names of products, prefixes, typing errors and other languages depend on what other tools contain
const WORDS = [...CONCEPTS.flat(), 'send', 'list', 'sender', 'zendesk', 'github', 'datei', 'wetter']
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
const tool = fc
  .record({ name: words, description: words })
  .map(({ name, description }) =>
    readDefinition({ name: name.join('_'), description: description.join(' ') }),
  )
const tools = fc.uniqueArray(tool, { selector: ({ name }) => name, minLength: 2, maxLength: 30 })
const query = fc
  .array(fc.constantFrom(...WORDS, 'umbr', 'lettre', 'invioce', 'zzz', 'Lies die Datei'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((list) => list.join(' '))
const options: fc.Arbitrary<RankOptions> = fc.record({
  limit: fc.constantFrom(1, 3, 100),
  ties: fc.constantFrom('name', 'catalogue'),
  explain: fc.constant(true),
})
const hidden = fc.uniqueArray(fc.nat(29), { maxLength: 20 })

describe.each(kinds)('the %s ranker', (_, create) => {
  it('ranks as if hidden tools did not exist', () => {
    fc.assert(
      fc.property(tools, hidden, query, options, (tools, hidden, query, options) => {
        const visible = tools.filter((_, at) => !hidden.includes(at))
        const isVisible = (tool: Tool) => visible.includes(tool)
        const expected = filled(create, visible).rank(readWords(query), options)
        const ranking = filled(create, tools).rank(readWords(query), {
          ...options,
          accepts: isVisible,
          isVisible,
        })
        expect(facts(ranking)).toEqual(facts(expected))
      }),
      { numRuns: 200 },
    )
  })

  it('ranks two layers as if hidden tools did not exist in either', () => {
    fc.assert(
      fc.property(tools, hidden, query, options, (tools, hidden, query, options) => {
        const visible = tools.filter((_, at) => !hidden.includes(at))
        const isVisible = (tool: Tool) => visible.includes(tool)
        const ranking = layered(tools).rank(readWords(query), {
          ...options,
          accepts: isVisible,
          isVisible,
        })
        const expected = layered(visible).rank(readWords(query), options)
        expect(facts(ranking)).toEqual(facts(expected))
      }),
      { numRuns: 100 },
    )

    function layered(all: readonly Tool[]) {
      const own = all.filter(({ name }) => name.length % 3 === 0)
      const base = all.filter((tool) => !own.includes(tool))
      const order = [...base, ...own].map(({ name }) => name)
      return layeredRanker({
        base: filled(create, base),
        own: filled(create, own),
        isOwn: (name) => own.some((tool) => tool.name === name),
        placeOf: (name) => order.indexOf(name),
      })
    }
  })

  it('follows changes of the tools', () => {
    const read = (name: string, description: string) => readDefinition({ name, description })
    const ranker = filled(create, [read('send_mail', 'Send mail'), read('list_mail', 'List mail')])
    const isVisible = () => true
    const rank = () =>
      facts(ranker.rank(readWords('send mail'), { limit: 9, ties: 'name', isVisible }))
    const before = rank()
    ranker.set(read('send_letter', 'Send a letter'))
    expect(rank().hits).toHaveLength(before.hits.length + 1)
    ranker.delete('send_letter')
    expect(rank()).toEqual(before)
  })
})

describe('a session with restricted tools', () => {
  it('answers every search like one whose catalogue lacks the others', async () => {
    await fc.assert(
      fc.asyncProperty(tools, hidden, query, async (tools, hidden, query) => {
        const visible = tools.filter((_, at) => !hidden.includes(at))
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
      { numRuns: 100 },
    )
  })
})
