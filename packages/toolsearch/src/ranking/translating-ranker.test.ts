import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty, isDeep } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { lexiconBytes } from '../languages/lexicon.fixtures.ts'
import { createLexicon } from '../languages/lexicon.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { bm25Ranker } from './bm25-ranker.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { hybridRanker } from './hybrid-ranker.ts'
import { layeredRanker } from './layered-ranker.ts'
import { describeRanker, namesOf, partsOf, readWords, scoresOf } from './ranker.cases.ts'
import type { Ranker, RankOptions } from './ranker.ts'
import { translatingRanker } from './translating-ranker.ts'

const lexicon = createLexicon(lexiconBytes())

/** Each word of four or more letters has one of sixteen directions. */
const vectors: TextVectors = {
  id: 'hashed',
  dimensions: 16,
  embed(text) {
    const vector = new Float32Array(16)
    for (const word of text.toLowerCase().match(/[a-z]{4,}/g) ?? []) {
      let hash = 7
      for (const letter of word) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
      vector[hash % 16]!++
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector : vector.map((value) => value / length)
  },
}

const kinds: readonly (readonly [string, () => Ranker])[] = [
  ['fielded', () => fieldedRanker()],
  ['bm25', () => bm25Ranker()],
  ['hybrid', () => hybridRanker({ vectors })],
]
const translating = (create: () => Ranker) => translatingRanker({ ranker: create(), lexicon })

const tools = [
  { name: 'read_file', description: 'Read the contents of a file' },
  { name: 'weather_now', description: 'Tells the weather of today' },
  { name: 'search_web', description: 'Search the web' },
].map((definition) => readDefinition(definition))
const german = readDefinition({ name: 'oeffnen', description: 'Die Datei für das Wetter öffnen' })
const chinese = readDefinition({ name: 'cx', description: '查询天气' })

function filled(create: () => Ranker, list = tools): Ranker {
  const ranker = create()
  for (const tool of list) ranker.set(tool)
  return ranker
}

describe.each(kinds)('translatingRanker over %s', (name, create) => {
  // The hybrid ranker contains a fielded one.
  if (isDeep || name === 'hybrid') describeRanker(() => translating(create))

  it('finds English tools for queries in other languages', () => {
    const ranker = filled(() => translating(create))
    expect(namesOf(ranker, 'Lies die Datei')[0]).toBe('read_file')
    expect(namesOf(ranker, '查天气')[0]).toBe('weather_now')
    expect(namesOf(filled(create), '查天气')).not.toContain('weather_now')
  })

  it('ranks and explains English queries exactly like the inner ranker', () => {
    const [inner, outer] = [filled(create), filled(() => translating(create))]
    const options: RankOptions = { limit: 9, ties: 'name', explain: true }
    for (const text of ['read the file', 'weather', 'search_web', 'nothing of the kind']) {
      const query = readWords(text)
      const [one, other] = [inner.rank(query, options), outer.rank(query, options)]
      expect({ ...other, explain: undefined }).toEqual({ ...one, explain: undefined })
      for (const { name } of tools) expect(other.explain!(name)).toEqual(one.explain!(name))
      expect(plain(outer.peaks?.(query, {}))).toEqual(plain(inner.peaks?.(query, {})))
    }
    expect(outer.terms?.frequency('file')).toBe(inner.terms?.frequency('file'))
  })

  it('ranks tools in the language of the query by the original query', () => {
    const ranker = filled(() => translating(create), [...tools, german, chinese])
    const options: RankOptions = { limit: 9, ties: 'name', explain: true }
    const { hits, total } = ranker.rank(readWords('Lies die Datei'), options)
    expect(hits.map((hit) => hit.tool.name)).toEqual(
      expect.arrayContaining(['oeffnen', 'read_file']),
    )
    expect(total).toBe(hits.length)
    expect(namesOf(ranker, '查天气')).toEqual(expect.arrayContaining(['cx', 'weather_now']))
    const original = partsOf(ranker, '查天气', 'cx')
    expect(original.every((part) => part.translatedFrom === undefined)).toBe(true)
  })

  it('ranks like the inner ranker if all tools are in the language of the query', () => {
    const list = [chinese, readDefinition({ name: 'wj', description: '打开文件' })]
    const options: RankOptions = { limit: 9, ties: 'name' }
    const query = readWords('查天气 文件')
    const { hits } = filled(create, list).rank(query, options)
    expect(filled(() => translating(create), list).rank(query, options).hits).toEqual(hits)
    expect(hits).toHaveLength(2)
  })

  it('forgets the language of a tool that changed', () => {
    const ranker = filled(() => translating(create), [...tools, chinese])
    expect(namesOf(ranker, '查天气')).toContain('cx')
    ranker.set(readDefinition({ name: 'cx', description: 'Tells the weather' }))
    expect(partsOf(ranker, '查天气', 'cx')[0]?.translatedFrom).toBeDefined()
  })

  it('explains a mixed ranking by parts that add up, with the words of the query', () => {
    const ranker = filled(() => translating(create), [...tools, german, chinese])
    for (const text of ['Lies die Datei', '查天气', '天气 file']) {
      for (const [name, score] of scoresOf(ranker, text)) {
        const sum = partsOf(ranker, text, name).reduce((total, part) => total + part.weight, 0)
        expect(sum).toBeCloseTo(score, 9)
      }
    }
    expect(partsOf(ranker, 'Lies die Datei', 'read_file')).toContainEqual(
      expect.objectContaining({ term: 'file', translatedFrom: 'Datei' }),
    )
  })

  it('ranks two layers like one ranker, in any language', async () => {
    const all = [...tools, german, chinese]
    const texts = fc.constantFrom('Lies die Datei', '查天气', 'read the file', 'suche die Datei')
    await checkProperty(
      fc.property(fc.subarray(all), texts, (own, text) => {
        const names = new Set(own.map((tool) => tool.name))
        const rest = all.filter((tool) => !names.has(tool.name))
        const layered = layeredRanker({
          base: filled(() => translating(create), rest),
          own: filled(() => translating(create), own),
          isOwn: (name) => names.has(name),
          placeOf: (name) => all.findIndex((tool) => tool.name === name),
        })
        const single = filled(() => translating(create), all)
        const options: RankOptions = { limit: 9, ties: 'name' }
        const expected = single.rank(readWords(text), options).hits
        const found = layered.rank(readWords(text), options).hits
        expect(found.map((hit) => hit.tool.name)).toEqual(expected.map((hit) => hit.tool.name))
        found.forEach((hit, at) => {
          expect(hit.score).toBeCloseTo(expected[at]!.score, 5)
        })
      }),
      { cases: 25 },
    )
  })
})

describe('translatingRanker', () => {
  it('prepares the translation, and the original only if a tool is in its language', async () => {
    const prepared: string[] = []
    const inner: Ranker = {
      ...fieldedRanker(),
      prepare: async (text) => void prepared.push(text),
    }
    const ranker = translatingRanker({ ranker: inner, lexicon })
    await ranker.prepare!('Lies die Datei')
    await ranker.prepare!('read the file')
    ranker.set(german)
    await ranker.prepare!('die Datei')
    expect(prepared).toEqual(['read file', 'read the file', 'file', 'die Datei'])
  })

  it('combines with hybridRanker as its keyword ranker', () => {
    const lexical = translatingRanker({ ranker: fieldedRanker(), lexicon })
    const ranker = filled(() => hybridRanker({ vectors, lexical }), [...tools, chinese])
    expect(namesOf(ranker, 'Lies die Datei')[0]).toBe('read_file')
  })

  it('keeps words that a tool must contain', () => {
    const ranker = filled(() => translatingRanker({ ranker: fieldedRanker(), lexicon }))
    const query = readWords('+file die Datei')
    expect(ranker.rank(query, { limit: 1, ties: 'name' }).hits[0]?.tool.name).toBe('read_file')
  })

  it('rejects a lexicon that is only bytes', () => {
    const bytes = lexiconBytes() as never
    expect(() => translatingRanker({ ranker: fieldedRanker(), lexicon: bytes })).toThrow(
      'use createLexicon(loadLexicon())',
    )
  })
})

function plain(peaks: ReturnType<NonNullable<Ranker['peaks']>>): unknown {
  return peaks && { words: peaks.words, similarities: peaks.similarities }
}
