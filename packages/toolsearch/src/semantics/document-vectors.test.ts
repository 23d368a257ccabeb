import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { centreOf } from './centring.ts'
import { createDocumentVectors, type DocumentVectors } from './document-vectors.ts'
import type { TextVectors } from './embedder.ts'
import { dot, scaledTo } from './vector-math.ts'

const weights = { name: 0, parameters: 0 }
const DIRECTIONS: Readonly<Record<string, readonly number[]>> = {
  rain: [10, 3, 0, 1],
  storm: [10, 2, 1, 0],
  letter: [10, 0, 3, 1],
  parcel: [10, 0, 2, -1],
}
const vectorOf = (text: string) => scaledTo(1, Float32Array.from(DIRECTIONS[text]!))

/** Vectors that all point in nearly the same direction. Those in `late` arrive with `arrive`. */
function source(options: Partial<TextVectors> = {}, late: readonly string[] = []) {
  const listeners = new Set<(text: string) => void>()
  const waiting = new Set(late)
  const vectors: TextVectors = {
    id: 'x',
    dimensions: 4,
    prepare: async () => {},
    embed: (text) => (waiting.has(text) ? undefined : vectorOf(text)),
    onVector(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ...options,
  }
  const arrive = (text: string) => {
    waiting.delete(text)
    for (const listener of listeners) listener(text)
  }
  return { vectors, arrive }
}

function fill(documents: DocumentVectors, texts: readonly string[]): DocumentVectors {
  for (const [slot, text] of texts.entries()) {
    documents.set(slot, { whole: text, name: '', parameters: '' })
  }
  return documents
}

function create(vectors: TextVectors, texts: readonly string[]): DocumentVectors {
  return fill(createDocumentVectors({ vectors, weights, onArrival: () => {} }), texts)
}

/** The cosine relative to a centre, computed directly. */
function centredCosine(a: Float32Array, b: Float32Array, centre: Float32Array): number {
  const [x, y] = [a, b].map((vector) => vector.map((value, i) => value - centre[i]!))
  return dot(scaledTo(1, x!), scaledTo(1, y!))
}

const TEXTS = Object.keys(DIRECTIONS)

describe('createDocumentVectors', () => {
  it('knows which vectors have arrived', () => {
    const { vectors, arrive } = source({}, ['storm'])
    const documents = create(vectors, ['rain', 'storm'])
    expect([documents.has(0), documents.has(1), documents.missing]).toEqual([true, false, 1])
    arrive('storm')
    expect([documents.has(1), documents.missing]).toEqual([true, 0])
    documents.delete(1)
    expect(documents.has(1)).toBe(false)
  })

  it('learns the number of dimensions from the first vector', () => {
    const { vectors, arrive } = source({ dimensions: 0 }, TEXTS)
    const documents = create(vectors, TEXTS)
    expect([...documents.similarity(vectorOf('rain'))]).toEqual([0, 0, 0, 0])
    for (const text of TEXTS) arrive(text)
    expect(documents.similarity(vectorOf('rain'))[0]).toBeCloseTo(1, 2)
  })

  it('has no sum if the vectors are not centred', () => {
    expect(create(source().vectors, TEXTS).sum).toBeUndefined()
  })
})

describe('centred vectors', () => {
  const centred = (texts: readonly string[] = TEXTS) =>
    create(source({ centred: true }).vectors, texts)
  /** As many documents as it takes for their mean to count nearly in full. */
  const many = Array.from({ length: 400 }, (_, at) => TEXTS[at % TEXTS.length]!)

  it('tell texts apart that are all similar', () => {
    const [plain, relative] = [create(source().vectors, many), centred(many)].map((documents) =>
      documents.similarity(vectorOf('rain')),
    )
    expect(plain![TEXTS.indexOf('letter')]).toBeGreaterThan(0.9)
    expect(relative![TEXTS.indexOf('letter')]).toBe(0)
    expect(relative![TEXTS.indexOf('storm')]).toBeGreaterThan(0.5)
  })

  it.each(TEXTS)('are compared relative to the mean of the documents: %s', (query) => {
    const documents = centred(many)
    const centre = centreOf(documents.sum!)
    const similarity = documents.similarity(vectorOf(query))
    for (const [slot, text] of TEXTS.entries()) {
      const exact = centredCosine(vectorOf(query), vectorOf(text), centre)
      expect(similarity[slot]).toBeCloseTo(Math.max(0, exact), 1)
    }
  })

  it('keep the length of the query', () => {
    const documents = centred(many)
    const whole = documents.similarity(vectorOf('rain'))[0]!
    expect(documents.similarity(scaledTo(0.5, vectorOf('rain')))[0]).toBeCloseTo(whole / 2, 5)
  })

  it('give a document without a vector no similarity', () => {
    const { vectors } = source({ centred: true }, ['parcel'])
    expect(create(vectors, TEXTS).similarity(vectorOf('parcel'))[3]).toBe(0)
  })

  it('of a single document are compared almost as they are', () => {
    expect(centred(['rain']).similarity(vectorOf('rain'))[0]).toBeCloseTo(1, 1)
  })

  it('of a small layer can be compared relative to the documents below it', () => {
    const below = centred(many)
    const own = centred(['storm'])
    const expected = below.similarity(vectorOf('rain'))[TEXTS.indexOf('storm')]!
    expect(own.similarity(vectorOf('rain'), undefined, below.sum)[0]).toBeCloseTo(expected, 5)
  })

  it('do not depend on documents that were added and removed', async () => {
    const change = fc.record({ slot: fc.nat({ max: 9 }), text: fc.constantFrom('', ...TEXTS) })
    await checkProperty(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const changed = centred([])
        const last = new Map<number, string>()
        for (const { slot, text } of changes) {
          if (text === '') changed.delete(slot)
          else changed.set(slot, { whole: text, name: '', parameters: '' })
          last.set(slot, text)
        }
        const fresh = centred([])
        for (const [slot, text] of last) {
          if (text === '') fresh.delete(slot)
          else fresh.set(slot, { whole: text, name: '', parameters: '' })
        }
        const [a, b] = [changed, fresh].map((each) => [...each.similarity(vectorOf('rain'))])
        expect(a).toHaveLength(b!.length)
        for (const [slot, value] of a!.entries()) expect(value).toBeCloseTo(b![slot]!, 5)
      }),
    )
  })
})
