import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { hybridRanker, weightedHybridRanker } from './hybrid-ranker.ts'
import { HYBRID_WEIGHTS } from './hybrid-weights.ts'
import { describeRanker, namesOf, partsOf, readWords, scoresOf } from './ranker.cases.ts'
import type { Ranker, RankOptions } from './ranker.ts'
import { embeddingTexts } from './tool-fields.ts'

const DIMENSIONS = 16

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** Each word of four or more letters has one of sixteen directions; shorter words are ignored. */
function hashedVectors(): TextVectors {
  return {
    id: 'hashed',
    dimensions: DIMENSIONS,
    embed(text) {
      const vector = new Float32Array(DIMENSIONS)
      for (const word of wordsIn(text)) {
        let hash = 7
        for (const letter of word) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) >>> 0
        if (word.length > 3) vector[hash % DIMENSIONS]!++
      }
      return ofLength(vector, 1)
    },
  }
}

const CONCEPTS = [
  ['weather', 'rain', 'umbrella', 'storm', 'cloudy'],
  ['mail', 'letter', 'correspondence', 'inbox', 'envelope'],
  ['invoice', 'money', 'payment', 'debt', 'budget'],
  ['music', 'radio', 'melody', 'guitar', 'orchestra'],
]

/** Words of one line mean the same; other words are unknown. Every vector has this length. */
function conceptVectors(length = 1): TextVectors {
  return {
    id: 'concepts',
    dimensions: DIMENSIONS,
    topics: CONCEPTS.map(([first]) => first!),
    embed(text) {
      const vector = new Float32Array(DIMENSIONS)
      for (const word of wordsIn(text)) {
        const concept = CONCEPTS.findIndex((words) => words.includes(word))
        if (concept >= 0) vector[concept]!++
      }
      return ofLength(vector, length)
    },
  }
}

/** Each word has a random direction, so that two words may point in opposite directions. */
function signedVectors(seed: number): TextVectors {
  return {
    id: 'signed',
    dimensions: DIMENSIONS,
    embed(text) {
      const vector = new Float32Array(DIMENSIONS)
      for (const word of wordsIn(text)) {
        let hash = seed
        for (const letter of word) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
        for (let i = 0; i < DIMENSIONS; i++) {
          hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + i
          vector[i]! += (hash >> 8) / 2 ** 23
        }
      }
      return ofLength(vector, 1)
    },
  }
}

/** Vectors that become available when they are released. */
function lateVectors(): TextVectors & { release(text: string): void } {
  const concepts = conceptVectors()
  const there = new Set<string>()
  const listeners = new Set<(text: string) => void>()
  return {
    ...concepts,
    embed: (text) => (there.has(text) ? concepts.embed(text) : undefined),
    prepare: async () => {},
    onVector(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    release(text) {
      there.add(text)
      for (const listener of listeners) listener(text)
    },
  }
}

function ofLength(vector: Float32Array, length: number): Float32Array {
  const size = Math.hypot(...vector) || 1
  return vector.map((value) => (value / size) * length)
}

function rankerOf(vectors: TextVectors, descriptions: Record<string, string>): Ranker {
  return fill(hybridRanker({ vectors }), descriptions)
}

function fill(ranker: Ranker, descriptions: Record<string, string>): Ranker {
  for (const [name, description] of Object.entries(descriptions)) {
    ranker.set(readDefinition({ name, description }))
  }
  return ranker
}

function sumOf(ranker: Ranker, text: string, name: string): number {
  return partsOf(ranker, text, name).reduce((sum, { weight }) => sum + weight, 0)
}

describe('hybridRanker', () => {
  describeRanker(() => hybridRanker({ vectors: hashedVectors() }))

  const tools = {
    sky: 'Tells about rain',
    post_office: 'Brings a letter to its address',
    player: 'Plays music of a station',
  }

  it('finds a tool with a similar meaning that shares no word with the query', () => {
    expect(namesOf(fill(fieldedRanker(), tools), 'umbrella')).toEqual([])
    expect(namesOf(rankerOf(conceptVectors(), tools), 'umbrella')).toEqual(['sky'])
    expect(namesOf(rankerOf(conceptVectors(), tools), 'correspondence')).toEqual(['post_office'])
  })

  it('ranks a similar meaning above a single common word', () => {
    const text = 'umbrella needed tomorrow morning walking towards central station'
    expect(namesOf(fill(fieldedRanker(), tools), text)[0]).toBe('player')
    const names = namesOf(rankerOf(conceptVectors(), tools), text)
    expect(names).toEqual(['sky', 'player'])
  })

  it('ranks a tool with the words and the meaning first', () => {
    const ranker = rankerOf(conceptVectors(), { ...tools, umbrella_rental: 'Lends an umbrella' })
    expect(namesOf(ranker, 'umbrella')).toEqual(['umbrella_rental', 'sky'])
  })

  it('finds a tool by its name, regardless of what the name means', () => {
    const ranker = rankerOf(conceptVectors(), { ...tools, guitar: 'Opens the inbox' })
    expect(namesOf(ranker, 'guitar')[0]).toBe('guitar')
  })

  it('ranks a query it does not understand like the lexical ranker', () => {
    const hybrid = rankerOf(conceptVectors(), tools)
    const lexical = fill(fieldedRanker(), tools)
    for (const text of ['station', 'plays address', 'post_office', 'tels', 'unheard', 'the']) {
      const query = readWords(text)
      for (const limit of [1, 10]) {
        const options: RankOptions = { limit, ties: 'name' }
        expect(hybrid.rank(query, options)).toEqual(lexical.rank(query, options))
      }
      for (const name of Object.keys(tools)) {
        expect(partsOf(hybrid, text, name)).toEqual(partsOf(lexical, text, name))
      }
    }
  })

  it('weights similarity less if less of the query is understood', () => {
    const text = 'umbrella needed tomorrow morning walking towards central station'
    const best = [1, 0.5, 0.1].map((length) =>
      namesOf(rankerOf(conceptVectors(length), tools), text),
    )
    expect(best.map(([first]) => first)).toEqual(['sky', expect.any(String), 'player'])

    const meaning = [1, 0.5, 0.1].map((length) => {
      return sumOf(rankerOf(conceptVectors(length), tools), text, 'sky')
    })
    expect(meaning[0]).toBeGreaterThan(0)
    expect(meaning[1]! / meaning[0]!).toBeCloseTo(0.5, 5)
    expect(meaning[2]! / meaning[0]!).toBeCloseTo(0.1, 5)
  })

  it('weights words more with a larger `words` weight', () => {
    const text = 'umbrella needed tomorrow morning walking towards central station'
    const first = (words: number) => {
      const ranker = weightedHybridRanker(
        { vectors: conceptVectors() },
        { ...HYBRID_WEIGHTS, words },
      )
      return namesOf(fill(ranker, tools), text)[0]
    }
    expect([first(0.1), first(50)]).toEqual(['sky', 'player'])
  })

  it('combines similarity with the scores of the ranker passed as `lexical`', () => {
    const queries: string[] = []
    const { scoreAll: _, ...others } = fieldedRanker()
    const lexical: Ranker = {
      ...others,
      rank(query) {
        queries.push(query.text)
        return { hits: [] }
      },
    }
    const ranker = fill(hybridRanker({ vectors: conceptVectors(), lexical }), tools)
    expect(namesOf(ranker, 'rain station')).toEqual(['sky'])
    expect(queries).toEqual(['rain station'])
  })

  it('returns the same scores with a lexical ranker that has no scoreAll', () => {
    const { scoreAll: _, ...lexical } = fieldedRanker()
    const ranker = fill(hybridRanker({ vectors: conceptVectors(), lexical }), tools)
    const text = 'umbrella plays music station'
    expect(scoresOf(ranker, text)).toEqual(scoresOf(rankerOf(conceptVectors(), tools), text))
  })

  it('prepares a query and each of its needs', async () => {
    const prepared: string[] = []
    const prepare = async (text: string) => void prepared.push(text)
    const ranker = hybridRanker({ vectors: { ...conceptVectors(), prepare } })
    const needs = ['Tell me about the rain', 'the storm at home in the evening', 'write a letter']
    const text = `${needs[0]} and ${needs[1]} and then ${needs[2]}`
    await ranker.prepare!(text)
    expect(prepared).toEqual([text, ...needs])
  })

  it('prepares queries with its vectors, if these need preparation', async () => {
    const prepared: string[] = []
    const prepare = async (text: string) => void prepared.push(text)
    await hybridRanker({ vectors: { ...conceptVectors(), prepare } }).prepare?.('umbrella')
    expect(prepared).toEqual(['umbrella'])
    expect(hybridRanker({ vectors: conceptVectors() }).prepare).toBeUndefined()
  })
})

describe('hybridRanker with rejected tools', () => {
  it.each([50, 500, 1_500])('finds the one accepted tool behind %d more similar ones', (count) => {
    const ranker = hybridRanker({ vectors: conceptVectors() })
    for (let i = 0; i < count; i++) {
      ranker.set(readDefinition({ name: `near_${i}`, description: 'rain' }))
    }
    const description = `cloudy ${'letter '.repeat(6)}${'budget '.repeat(6)}`
    ranker.set(readDefinition({ name: 'far', description }))
    const accepts: RankOptions['accepts'] = ({ name }) => name === 'far'
    expect(namesOf(ranker, 'umbrella')).not.toContain('far')
    expect(namesOf(ranker, 'umbrella', { limit: 5, ties: 'name', accepts })).toEqual(['far'])
  })

  it('never returns a rejected tool, however similar', () => {
    const ranker = rankerOf(conceptVectors(), { sky: 'rain', drum: 'music', cloud: 'storm' })
    const accepts: RankOptions['accepts'] = ({ name }) => name !== 'sky'
    expect(namesOf(ranker, 'umbrella', { limit: 5, ties: 'name', accepts })).toEqual(['cloud'])
  })

  it('explains the score of a tool when better ones are rejected', () => {
    const ranker = rankerOf(conceptVectors(), {
      storm_warning: 'Warns of a storm',
      almanac: 'Knows of storm, budget, guitar',
    })
    const accepts: RankOptions['accepts'] = ({ name }) => name === 'almanac'
    const [hit] = scoresOf(ranker, 'storm warning', { limit: 5, ties: 'name', accepts })
    const parts = partsOf(ranker, 'storm warning', 'almanac', accepts)
    expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(hit![1], 9)
  })

  it('finds the most similar of 1,000 tools', () => {
    const ranker = hybridRanker({ vectors: conceptVectors() })
    for (let i = 0; i < 1_000; i++) {
      const description = `rain letter ${i === 700 ? 'storm storm storm' : ''}`
      ranker.set(readDefinition({ name: `tool_${i}`, description }))
    }
    expect(namesOf(ranker, 'umbrella')[0]).toBe('tool_700')
  })
})

describe('explanations of hybridRanker', () => {
  const words = fc.constantFrom(
    ...['rain', 'mail', 'money', 'music', 'station', 'open', 'close', 'water', 'river', 'garden'],
  )
  const text = fc.array(words, { minLength: 1, maxLength: 8 }).map((list) => list.join(' '))
  const clause = fc.array(words, { minLength: 5, maxLength: 7 }).map((list) => list.join(' '))
  const clauses = fc.tuple(clause, clause, clause).map((list) => list.join(' and '))
  const query = fc.oneof(text, clauses)
  const descriptions = fc.dictionary(fc.constantFrom('aaa', 'bbb', 'ccc', 'ddd'), text)

  it.each([
    ['of hashed words', () => hashedVectors()],
    ['of concepts', () => conceptVectors(0.7)],
    ['that may point in opposite directions', (seed: number) => signedVectors(seed)],
  ])('add up to the score with vectors %s', async (_, create) => {
    await checkProperty(
      fc.property(fc.integer(), descriptions, query, (seed, tools, text) => {
        const ranker = rankerOf(create(seed), tools)
        const scores = new Map(scoresOf(ranker, text, { limit: 100, ties: 'name' }))
        for (const name of Object.keys(tools)) {
          expect(sumOf(ranker, text, name)).toBeCloseTo(scores.get(name) ?? 0, 9)
          expect(partsOf(ranker, text, name).length > 0).toBe(scores.has(name))
        }
        for (const score of scores.values()) expect(score).toBeGreaterThan(0)
      }),
      { cases: 25 },
    )
  })

  it('do not subtract from the score of a tool whose meaning is far from every need', () => {
    const text =
      'open the garden gate in the morning and close the garden gate again in the evening'
    const directions = new Map([
      [text, Float32Array.of(0, 1)],
      ['open the garden gate in the morning', Float32Array.of(-0.6, 0.8)],
      ['close the garden gate again in the evening', Float32Array.of(-0.8, 0.6)],
    ])
    const near = readDefinition({ name: 'near', description: 'Moves something' })
    const away = readDefinition({ name: 'away', description: 'Has a gate' })
    directions.set(embeddingTexts(near).whole, Float32Array.of(0, 1))
    directions.set(embeddingTexts(away).whole, Float32Array.of(1, 0))
    const vectors = { id: 'two', dimensions: 2, embed: (text: string) => directions.get(text) }
    const ranker = hybridRanker({ vectors })
    ranker.set(near)
    ranker.set(away)
    const scores = new Map(scoresOf(ranker, text))
    expect(sumOf(ranker, text, 'away')).toBeGreaterThan(0)
    expect(scores.get('away')).toBeCloseTo(sumOf(ranker, text, 'away'), 9)
  })

  it('separate keyword matches from semantic similarity', () => {
    const ranker = rankerOf(conceptVectors(), { sky: 'Tells about rain', drum: 'Plays music' })
    const parts = partsOf(ranker, 'rain umbrella', 'sky')
    expect(parts).toContainEqual(
      expect.objectContaining({ term: 'rain', field: 'description', match: 'word' }),
    )
    expect(parts).toContainEqual(
      expect.objectContaining({
        ...{ term: 'rain umbrella', found: 'sky', field: 'semantics', match: 'semantic' },
      }),
    )
    expect(partsOf(ranker, 'rain umbrella', 'drum')).toEqual([])
    expect(partsOf(ranker, 'rain umbrella', 'unheard_of')).toEqual([])
  })

  it('name the three most similar words if the vectors of single words are known', () => {
    const concepts = conceptVectors()
    const vectors: TextVectors = {
      ...concepts,
      pieces: (text) =>
        wordsIn(text).map((word) => ({ text: word, vector: concepts.embed(word)! })),
    }
    const ranker = rankerOf(vectors, { sky: 'Reports storm, cloudy, weather, debt' })
    const text = 'umbrella rain'
    const parts = partsOf(ranker, text, 'sky')
    const named = parts.filter(({ match, found }) => match === 'semantic' && found !== 'sky')
    expect(named).toHaveLength(3)
    for (const { term, found } of named) {
      expect(['umbrella', 'rain']).toContain(term)
      expect(['storm', 'cloudy', 'weather']).toContain(found)
    }
    const [hit] = scoresOf(ranker, text)
    expect(sumOf(ranker, text, 'sky')).toBeCloseTo(hit![1], 9)
  })
})

describe('hybridRanker with few common words', () => {
  const tools = { sky: 'Tells about rain', bag: 'Sells a walk and a shoe' }
  const first = (text: string, vectors: TextVectors) => namesOf(rankerOf(vectors, tools), text)[0]

  it('prefers a similar meaning to one common word of many', () => {
    expect(first('umbrella for a long slow evening walk', conceptVectors())).toBe('sky')
  })

  it('prefers the common word if little of the query is understood', () => {
    expect(first('umbrella for a long slow evening walk', conceptVectors(0.3))).toBe('bag')
  })
})

describe('confidence of hybridRanker', () => {
  const tools = {
    sky: 'Tells about rain',
    clerk: 'Files a letter, a budget, a guitar, a payment, a melody, one storm',
  }
  const judge = (vectors: TextVectors, some: Record<string, string>, text: string) =>
    rankerOf(vectors, some).rank(readWords(text), { limit: 5, ties: 'name' })

  it('is higher for a similar tool than for one that is hardly similar', () => {
    const similar = judge(conceptVectors(), tools, 'umbrella')
    const hardly = judge(conceptVectors(), { clerk: tools.clerk }, 'umbrella')
    expect(hardly.hits).toHaveLength(1)
    expect(similar.confidence).toBeGreaterThan(hardly.confidence!)
    expect(similar.served).toBeGreaterThan(hardly.served!)
  })

  it('is higher for a tool with the words of the query', () => {
    const words = judge(conceptVectors(), tools, 'clerk letter')
    const meaning = judge(conceptVectors(), tools, 'envelope')
    expect(words.confidence).toBeGreaterThan(meaning.confidence!)
  })

  it('does not depend on the limit', () => {
    const ranker = rankerOf(conceptVectors(), tools)
    const confidences = [0, 1, 5, 100].map(
      (limit) => ranker.rank(readWords('umbrella'), { limit, ties: 'name' }).confidence,
    )
    expect(new Set(confidences).size).toBe(1)
  })

  it('is lower for a query that names a product which no tool mentions', () => {
    const named = judge(conceptVectors(), tools, 'rain on Grafana')
    const plain = judge(conceptVectors(), tools, 'rain on average')
    expect(named.unknownProducts).toEqual(['Grafana'])
    expect(named.served).toBeLessThan(plain.served!)
    const known = judge(conceptVectors(), { ...tools, panel: 'Opens Grafana' }, 'rain on Grafana')
    expect(known).not.toHaveProperty('unknownProducts')
  })

  it('does not doubt a similar tool because its embedder has no topics', () => {
    const { topics: _, ...vectors } = conceptVectors()
    expect(judge(vectors, tools, 'umbrella').served).toBeGreaterThan(0.5)
  })

  it('is between 0 and 1 for any query', async () => {
    await checkProperty(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const query = readWords(`${text} rain`)
        const ranker = rankerOf(conceptVectors(), tools)
        const { confidence, served } = ranker.rank(query, { limit: 5, ties: 'name' })
        for (const estimate of [confidence!, served!]) {
          expect(estimate).toBeGreaterThanOrEqual(0)
          expect(estimate).toBeLessThanOrEqual(1)
        }
      }),
      { cases: 25 },
    )
  })

  it('comes with the topic that the query is closer to than to any tool', () => {
    expect(judge(conceptVectors(), { clerk: tools.clerk }, 'umbrella').closerTopic).toBe('weather')
    expect(judge(conceptVectors(), tools, 'umbrella')).not.toHaveProperty('closerTopic')
  })
})

describe('hybridRanker with several sources of vectors', () => {
  const tools = { sky: 'Tells about rain', desk: 'Keeps every letter', bank: 'Lends money' }

  it('ranks by the mean of their similarities', () => {
    const weather = { ...conceptVectors(), id: 'a' }
    const swapped: TextVectors = {
      ...conceptVectors(),
      id: 'b',
      embed: (text) => conceptVectors().embed(text.replace('umbrella', 'envelope')),
    }
    const ranker = hybridRanker({ vectors: [weather, swapped] })
    for (const [name, description] of Object.entries(tools)) {
      ranker.set(readDefinition({ name, description }))
    }
    const scores = new Map(scoresOf(ranker, 'umbrella'))
    expect([...scores.keys()].sort()).toEqual(['desk', 'sky'])
    expect(scores.get('desk')).toBeCloseTo(scores.get('sky')!, 9)
    for (const [name, score] of scores) {
      expect(sumOf(ranker, 'umbrella', name)).toBeCloseTo(score, 9)
    }
  })

  it('leaves a source out until it has the vector of the query', () => {
    const vectors = lateVectors()
    const ranker = hybridRanker({ vectors: [vectors, conceptVectors()] })
    for (const [name, description] of Object.entries(tools)) {
      ranker.set(readDefinition({ name, description }))
    }
    expect(namesOf(ranker, 'umbrella')).toEqual(['sky'])
    vectors.release('umbrella')
    expect(namesOf(ranker, 'umbrella')).toEqual(['sky'])
  })

  it('judges a tool by the other sources until its vector has arrived', () => {
    const late = lateVectors()
    const ranker = hybridRanker({ vectors: [late, conceptVectors()] })
    const definitions = Object.entries(tools).map(([name, description]) =>
      readDefinition({ name, description }),
    )
    for (const definition of definitions) ranker.set(definition)
    late.release('umbrella')
    const before = scoresOf(ranker, 'umbrella')
    for (const definition of definitions) late.release(embeddingTexts(definition).whole)
    const after = scoresOf(ranker, 'umbrella')
    expect(before.map(([name]) => name)).toEqual(['sky'])
    expect(after[0]![1]).toBeCloseTo(before[0]![1], 6)
  })

  it('rejects an empty list', () => {
    expect(() => hybridRanker({ vectors: [] })).toThrow('loadStaticEmbedder()')
  })
})

describe('hybridRanker with vectors that arrive later', () => {
  const rainy = readDefinition({ name: 'aaa', description: 'rain' })
  const postal = readDefinition({ name: 'aaa', description: 'letter' })

  it('finds a tool by words until its vector arrives, then by meaning', () => {
    const vectors = lateVectors()
    const ranker = hybridRanker({ vectors })
    ranker.set(rainy)
    vectors.release('umbrella')
    expect(namesOf(ranker, 'umbrella')).toEqual([])
    expect(namesOf(ranker, 'rain')).toEqual(['aaa'])
    vectors.release(embeddingTexts(rainy).whole)
    expect(namesOf(ranker, 'umbrella')).toEqual(['aaa'])
  })

  it('listens for vectors only while it waits for one', () => {
    const vectors = lateVectors()
    let listeners = 0
    const onVector: TextVectors['onVector'] = (listener) => {
      const stop = vectors.onVector!(listener)
      listeners++
      return () => {
        stop()
        listeners--
      }
    }
    const ranker = hybridRanker({ vectors: { ...vectors, onVector } })
    expect(listeners).toBe(0)
    ranker.set(rainy)
    expect(listeners).toBe(1)
    vectors.release(embeddingTexts(rainy).whole)
    expect(listeners).toBe(0)
    ranker.set(postal)
    expect(listeners).toBe(1)
  })

  it('uses vectors that arrive without preparation', () => {
    const { prepare: _, ...vectors } = lateVectors()
    const ranker = hybridRanker({ vectors })
    ranker.set(rainy)
    for (const text of ['umbrella', embeddingTexts(rainy).whole]) vectors.release(text)
    expect(namesOf(ranker, 'umbrella')).toEqual(['aaa'])
  })

  it('ignores the vector of a definition that was replaced', () => {
    const vectors = lateVectors()
    const ranker = hybridRanker({ vectors })
    for (const text of ['umbrella', 'inbox']) vectors.release(text)
    ranker.set(rainy)
    ranker.set(postal)
    vectors.release(embeddingTexts(rainy).whole)
    expect(namesOf(ranker, 'umbrella')).toEqual([])
    vectors.release(embeddingTexts(postal).whole)
    expect(namesOf(ranker, 'umbrella')).toEqual([])
    expect(namesOf(ranker, 'inbox')).toEqual(['aaa'])
  })

  it('drops the old vector of a tool whose new vector has not arrived yet', () => {
    const vectors = lateVectors()
    const ranker = hybridRanker({ vectors })
    for (const text of ['umbrella', embeddingTexts(rainy).whole]) vectors.release(text)
    ranker.set(rainy)
    expect(namesOf(ranker, 'umbrella')).toEqual(['aaa'])
    ranker.set(postal)
    expect(namesOf(ranker, 'umbrella')).toEqual([])
  })

  it('ignores the vector of a deleted tool', () => {
    const vectors = lateVectors()
    const ranker = hybridRanker({ vectors })
    vectors.release('umbrella')
    ranker.set(rainy)
    ranker.delete('aaa')
    ranker.set(readDefinition({ name: 'bbb', description: 'letter' }))
    vectors.release(embeddingTexts(rainy).whole)
    expect(namesOf(ranker, 'umbrella')).toEqual([])
  })

  it('uses the vector of a tool that was deleted and added again before it arrived', () => {
    const vectors = lateVectors()
    const ranker = hybridRanker({ vectors })
    vectors.release('umbrella')
    ranker.set(rainy)
    ranker.delete('aaa')
    ranker.set(readDefinition({ name: 'bbb', description: 'letter' }))
    ranker.set(rainy)
    vectors.release(embeddingTexts(rainy).whole)
    expect(namesOf(ranker, 'umbrella')).toEqual(['aaa'])
  })
})
