import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { hybridRanker } from './hybrid-ranker.ts'
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
      const ranker = hybridRanker({
        vectors: conceptVectors(),
        weights: { ...HYBRID_WEIGHTS, words },
      })
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

  it('compares a long query intent by intent', () => {
    const text =
      'Tell me about the rain, the storm, whether it is cloudy today at home and then write a letter'
    const ranker = rankerOf(conceptVectors(), {
      aaa: 'Does letter',
      bbb: 'Does rain',
      ccc: 'Does rain budget guitar',
    })
    const meaning = (name: string) =>
      partsOf(ranker, text, name)
        .filter(({ match }) => match === 'semantic')
        .reduce((sum, { weight }) => sum + weight, 0)
    expect(meaning('aaa')).toBeGreaterThan(meaning('ccc'))
    expect(meaning('bbb')).toBeGreaterThan(meaning('aaa'))
  })

  it('does not request vectors of intents from a remote embedder', () => {
    const embedded: string[] = []
    const concepts = conceptVectors()
    const vectors: TextVectors = {
      ...concepts,
      topics: [],
      prepare: async () => {},
      embed(text) {
        embedded.push(text)
        return concepts.embed(text)
      },
    }
    const text =
      'Tell me about the rain and the storm at home in the evening and then write a letter'
    const ranker = rankerOf(vectors, tools)
    embedded.length = 0
    expect(namesOf(ranker, text)).toContain('sky')
    expect(new Set(embedded)).toEqual(new Set([text]))
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
  ])('add up to the score with vectors %s', (_, create) => {
    fc.assert(
      fc.property(fc.integer(), descriptions, query, (seed, tools, text) => {
        const ranker = rankerOf(create(seed), tools)
        const scores = new Map(scoresOf(ranker, text, { limit: 100, ties: 'name' }))
        for (const name of Object.keys(tools)) {
          expect(sumOf(ranker, text, name)).toBeCloseTo(scores.get(name) ?? 0, 9)
          expect(partsOf(ranker, text, name).length > 0).toBe(scores.has(name))
        }
        for (const score of scores.values()) expect(score).toBeGreaterThan(0)
      }),
      { numRuns: 200 },
    )
  })

  it('do not subtract from the score of a tool whose meaning is far from every intent', () => {
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

describe('doubt of hybridRanker', () => {
  const tools = {
    sky: 'Tells about rain',
    clerk: 'Files a letter, a budget, a guitar, a payment, a melody, one storm',
  }
  const doubtOf = (vectors: TextVectors, text: string) =>
    rankerOf(vectors, tools).rank(readWords(text), { limit: 5, ties: 'name' })

  it('doubts a query with no similar tool and no common word', () => {
    const noMail = rankerOf(conceptVectors(), { sky: 'Tells about rain' })
    const { hits, minConfidentScore } = noMail.rank(readWords('envelope'), {
      limit: 5,
      ties: 'name',
    })
    expect(hits).toEqual([])
    expect(minConfidentScore).toBe(Number.POSITIVE_INFINITY)
  })

  it('doubts a best hit that is not similar and shares no word', () => {
    const vectors = conceptVectors()
    const ranker = rankerOf(vectors, { clerk: tools.clerk })
    const { hits, minConfidentScore } = ranker.rank(readWords('umbrella'), {
      limit: 5,
      ties: 'name',
    })
    expect(hits.map(({ tool }) => tool.name)).toEqual(['clerk'])
    expect(minConfidentScore).toBe(Number.POSITIVE_INFINITY)
  })

  it('doubts a similar tool if hardly anything of the query is understood', () => {
    expect(doubtOf(conceptVectors(0.1), 'umbrella').minConfidentScore).toBe(
      Number.POSITIVE_INFINITY,
    )
  })

  it('does not doubt a similar tool', () => {
    expect(doubtOf(conceptVectors(), 'umbrella').minConfidentScore).toBe(0)
  })

  it('names the topic a doubted query is closer to, unless a tool covers it', () => {
    const [far, near] = [{ clerk: tools.clerk }, tools].map((some) =>
      rankerOf(conceptVectors(), some).rank(readWords('umbrella'), { limit: 5, ties: 'name' }),
    )
    expect(far!.closerTopic).toBe('weather')
    expect(near).not.toHaveProperty('closerTopic')
  })

  it('does not doubt a tool with the words of the query, however different its meaning', () => {
    const ranker = rankerOf(conceptVectors(), { clerk: tools.clerk, lamp: 'Gives light' })
    const { hits, minConfidentScore } = ranker.rank(readWords('clerk storm'), {
      limit: 5,
      ties: 'name',
    })
    expect(hits.map(({ tool }) => tool.name)).toEqual(['clerk'])
    expect(minConfidentScore).toBe(0)
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
