import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createRowComparer, plainRowComparer } from './row-comparer.ts'
import { createVectorIndex } from './vector-index.ts'

/** A random unit vector that depends only on the seed. */
function randomUnit(dimensions: number, seed: number): Float32Array {
  let state = seed | 0
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const values = Array.from({ length: dimensions }, normal)
  const size = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / size)
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}

describe.each([
  ['with WebAssembly', createRowComparer],
  ['without WebAssembly', plainRowComparer],
  ['with WebAssembly once it is large', () => undefined],
])('createVectorIndex %s', (_, createComparer) => {
  const create = (dimensions: number) => createVectorIndex(dimensions, createComparer())

  it('differs from the exact cosine by less than 0.01', async () => {
    await checkProperty(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer(),
        fc.integer(),
        (dimensions, one, other) => {
          const [vector, query] = [randomUnit(dimensions, one), randomUnit(dimensions, other)]
          const index = create(dimensions)
          index.set(0, vector)
          const exact = Math.max(cosine(vector, query), 0)
          expect(Math.abs(index.similarity(query)[0]! - exact)).toBeLessThan(0.01)
          expect(Math.abs(index.similarity(vector)[0]! - 1)).toBeLessThan(0.01)
        },
      ),
    )
  })

  it.each([20_000, 100_000])('does not overflow with vectors of %d numbers', (dimensions) => {
    const index = create(dimensions)
    const flat = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions))
    index.set(0, flat)
    expect(index.similarity(flat)[0]).toBeCloseTo(1, 2)
  })

  it('orders vectors like their exact cosines', () => {
    const index = create(100)
    const vectors = Array.from({ length: 500 }, (_, slot) => randomUnit(100, slot))
    for (const [slot, vector] of vectors.entries()) index.set(slot, vector)
    const query = randomUnit(100, 99)
    const similarity = index.similarity(query)
    const nearest = [...similarity.keys()].sort((a, b) => similarity[b]! - similarity[a]!)
    expect(nearest[0]).toBe(99)
    for (const [at, slot] of nearest.slice(1, 200).entries()) {
      const before = cosine(vectors[nearest[at]!]!, query)
      expect(cosine(vectors[slot]!, query)).toBeLessThan(before + 0.01)
    }
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('includes the last of %d numbers', (dimensions) => {
    const last = new Float32Array(dimensions)
    last[dimensions - 1] = 1
    const index = create(dimensions)
    index.set(0, last)
    expect(index.similarity(last)[0]).toBeCloseTo(1, 6)
  })

  it('returns 0 for a vector in the opposite direction', () => {
    const index = create(3)
    index.set(0, Float32Array.of(0.6, -0.8, 0))
    expect(index.similarity(Float32Array.of(0.6, -0.8, 0))[0]).toBeCloseTo(1, 2)
    expect(index.similarity(Float32Array.of(-0.6, 0.8, 0))[0]).toBe(0)
    expect(index.similarity(Float32Array.of(0, 0, 1))[0]).toBe(0)
  })

  it('scales with the length of the query', () => {
    const index = create(2)
    index.set(0, Float32Array.of(1, 0))
    expect(index.similarity(Float32Array.of(0.3, 0))[0]).toBeCloseTo(0.3, 6)
  })

  it('replaces a vector', () => {
    const index = create(2)
    index.set(0, Float32Array.of(1, 0))
    index.set(1, Float32Array.of(1, 0))
    index.set(0, Float32Array.of(0, 1))
    expect([...index.similarity(Float32Array.of(1, 0))].map(rounded)).toEqual([0, 1])
    expect([...index.similarity(Float32Array.of(0, 1))].map(rounded)).toEqual([1, 0])
  })

  it('removes a vector and accepts a new one in its slot', () => {
    const index = create(2)
    const query = Float32Array.of(1, 0)
    index.set(0, query)
    index.set(1, query)
    index.delete(0)
    index.delete(0)
    expect([...index.similarity(query)].map(rounded)).toEqual([0, 1])
    index.set(0, Float32Array.of(0.6, 0.8))
    expect([...index.similarity(query)].map(rounded)).toEqual([0.6, 1])
  })

  it('returns a number for every slot up to the highest one used', () => {
    const index = create(2)
    const query = Float32Array.of(1, 0)
    expect(index.similarity(query)).toHaveLength(0)
    index.set(2, query)
    index.delete(4)
    expect([...index.similarity(query)].map(rounded)).toEqual([0, 0, 1, 0, 0])
  })

  it.each([
    [
      'slot by slot beyond its initial capacity',
      Array.from({ length: 200 }, (_, slot) => slot),
      [0, 15, 16, 17, 63, 64, 65, 199],
    ],
    ['directly to a distant slot', [5, 12_345], [5, 12_345]],
    [
      'beyond 10,000 slots',
      Array.from({ length: 10_500 }, (_, slot) => slot),
      [0, 64, 4_095, 4_096, 9_999, 10_000, 10_499],
    ],
  ])('keeps all vectors when it grows %s', (_, slots, looked) => {
    const index = create(16)
    for (const slot of slots) index.set(slot, randomUnit(16, slot))
    for (const slot of looked) {
      expect(Math.abs(index.similarity(randomUnit(16, slot))[slot]! - 1)).toBeLessThan(0.01)
    }
  })

  it('returns 0 for a zero vector and for a zero query', () => {
    const index = create(4)
    index.set(0, new Float32Array(4))
    index.set(1, Float32Array.of(0, 0, 1, 0))
    expect([...index.similarity(Float32Array.of(0, 0, 1, 0))].map(rounded)).toEqual([0, 1])
    expect([...index.similarity(new Float32Array(4))]).toEqual([0, 0])
  })

  it('copies the vectors it receives', () => {
    const index = create(2)
    const vector = Float32Array.of(1, 0)
    index.set(0, vector)
    vector.fill(0)
    expect(index.similarity(Float32Array.of(1, 0))[0]).toBeCloseTo(1, 6)
  })
})

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
