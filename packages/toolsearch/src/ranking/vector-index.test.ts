import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVectorIndex } from './vector-index.ts'

/** A vector of unit length in any direction, the same one for the same seed. */
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

function exactCosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}

describe('createVectorIndex', () => {
  it('comes within 0.01 of the exact cosine', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer(),
        fc.integer(),
        (dimensions, one, other) => {
          const [vector, query] = [randomUnit(dimensions, one), randomUnit(dimensions, other)]
          const index = createVectorIndex(dimensions)
          index.set(0, vector)
          expect(Math.abs(index.cosine(0, query) - exactCosine(vector, query))).toBeLessThan(0.01)
          expect(Math.abs(index.cosine(0, vector) - 1)).toBeLessThan(0.01)
        },
      ),
    )
  })

  it('finds the nearest among many', () => {
    const index = createVectorIndex(100)
    for (let slot = 0; slot < 2_000; slot++) index.set(slot, randomUnit(100, slot))
    const query = randomUnit(100, 99)
    const near = index.nearest(query, 50, () => true)
    expect(near).toContain(99)
    expect(near.length).toBeGreaterThanOrEqual(50)
    expect(near.length).toBeLessThan(200)
  })

  it('goes on to those further away where the nearest are refused', () => {
    const index = createVectorIndex(8)
    for (let slot = 0; slot < 1_000; slot++) index.set(slot, randomUnit(8, slot))
    const query = randomUnit(8, 5)
    const far = [...Array(1_000).keys()].filter((slot) => {
      const cosine = index.cosine(slot, query)
      return cosine > 0.05 && cosine < 0.1
    })
    expect(far.length).toBeGreaterThan(0)
    expect(index.nearest(query, 200, (slot) => slot === far[0])).toEqual([far[0]])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('counts the last of %d numbers', (dimensions) => {
    const last = new Float32Array(dimensions)
    last[dimensions - 1] = 1
    const index = createVectorIndex(dimensions)
    index.set(0, last)
    expect(index.cosine(0, last)).toBeCloseTo(1, 6)
  })

  it('tells opposite directions apart', () => {
    const index = createVectorIndex(3)
    index.set(0, Float32Array.of(0.6, -0.8, 0))
    expect(index.cosine(0, Float32Array.of(0.6, -0.8, 0))).toBeCloseTo(1, 2)
    expect(index.cosine(0, Float32Array.of(-0.6, 0.8, 0))).toBeCloseTo(-1, 2)
    expect(index.cosine(0, Float32Array.of(0, 0, 1))).toBe(0)
  })

  it('puts a vector in the place of another', () => {
    const index = createVectorIndex(2)
    index.set(0, Float32Array.of(1, 0))
    index.set(1, Float32Array.of(1, 0))
    index.set(0, Float32Array.of(0, 1))
    expect(index.cosine(0, Float32Array.of(1, 0))).toBe(0)
    expect(index.cosine(0, Float32Array.of(0, 1))).toBeCloseTo(1, 6)
    expect(index.cosine(1, Float32Array.of(1, 0))).toBeCloseTo(1, 6)
  })

  it('forgets a deleted vector and takes another in its slot', () => {
    const index = createVectorIndex(2)
    const query = Float32Array.of(1, 0)
    index.set(0, query)
    index.set(1, query)
    index.delete(0)
    index.delete(0)
    expect(index.cosine(0, query)).toBe(0)
    expect(index.nearest(query, 2, () => true)).toEqual([1])
    index.set(0, Float32Array.of(-1, 0))
    expect(index.cosine(0, query)).toBeCloseTo(-1, 6)
  })

  it('is at nothing for slots that never had a vector', () => {
    const index = createVectorIndex(2)
    const query = Float32Array.of(1, 0)
    index.delete(70)
    index.set(3, query)
    expect([0, 2, 4, 70, 1_000_000].map((slot) => index.cosine(slot, query))).toEqual([
      ...[0, 0, 0, 0, 0],
    ])
    expect(index.cosine(3, query)).toBeCloseTo(1, 6)
  })

  it.each([
    [
      'one after the other past its first room',
      Array.from({ length: 200 }, (_, slot) => slot),
      [0, 63, 64, 65, 95, 96, 97, 199],
    ],
    ['at once to a far slot', [5, 12_345], [5, 12_345]],
    [
      'past 10,000 slots',
      Array.from({ length: 10_500 }, (_, slot) => slot),
      [0, 64, 9_999, 10_000, 10_001, 10_499],
    ],
  ])('grows %s and loses nothing', (_, slots, looked) => {
    const index = createVectorIndex(16)
    for (const slot of slots) index.set(slot, randomUnit(16, slot))
    for (const slot of looked) {
      const vector = randomUnit(16, slot)
      expect(Math.abs(index.cosine(slot, vector) - 1)).toBeLessThan(0.01)
      expect(index.nearest(vector, 1, () => true)).toContain(slot)
    }
  })

  it('is at nothing for a zero vector, and for a zero query', () => {
    const index = createVectorIndex(4)
    index.set(0, new Float32Array(4))
    index.set(1, Float32Array.of(0, 0, 1, 0))
    expect(index.cosine(0, Float32Array.of(0, 0, 1, 0))).toBe(0)
    expect(index.cosine(1, new Float32Array(4))).toBe(0)
    index.set(1, new Float32Array(4))
    expect(index.cosine(1, Float32Array.of(0, 0, 1, 0))).toBe(0)
  })

  it('keeps what it was given, not the array it came in', () => {
    const index = createVectorIndex(2)
    const vector = Float32Array.of(1, 0)
    index.set(0, vector)
    vector.fill(0)
    expect(index.cosine(0, Float32Array.of(1, 0))).toBeCloseTo(1, 6)
  })
})
