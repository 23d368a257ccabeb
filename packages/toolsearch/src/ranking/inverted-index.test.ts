import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import {
  createInvertedIndex,
  createTally,
  type InvertedIndex,
  type Postings,
} from './inverted-index.ts'

describe('createInvertedIndex', () => {
  it('returns the documents with a term and their weights', () => {
    const index = createInvertedIndex()
    index.add(3, postings({ 0: 3, 1: 1 }))
    index.add(8, postings({ 0: 0.5 }))
    expect(index.frequency(0)).toBe(2)
    expect(index.frequency(1)).toBe(1)
    expect(index.weight(0, 3)).toBe(3)
    expect(index.weight(0, 8)).toBe(0.5)
    expect(index.weight(1, 8)).toBe(0)
    expect(index.weight(0, 5)).toBe(0)
    expect(index.weight(0, 9)).toBe(0)
  })

  it.each([-1, 2, 1_000])('treats %i as a term that no document contains', (term) => {
    const index = createInvertedIndex()
    index.add(3, postings({ 0: 3, 1: 1 }))
    const tally = createTally(8)
    index.tally(term, 1, new Float32Array(8), tally, undefined)
    index.accumulate(term, 1, new Float32Array(8), tally, undefined)
    expect(tally.count).toBe(0)
    expect(index.frequency(term)).toBe(0)
    expect(index.weight(term, 3)).toBe(0)
  })

  it('returns the terms that no document contains after a removal', () => {
    const index = createInvertedIndex()
    index.add(0, postings({ 5: 1, 6: 1 }))
    index.add(1, postings({ 5: 2 }))
    expect(index.remove(0, postings({ 5: 1, 6: 1 }))).toEqual([6])
    expect(index.frequency(5)).toBe(1)
    expect(index.weight(5, 0)).toBe(0)
    expect(index.weight(5, 1)).toBe(2)
    expect(index.remove(1, postings({ 5: 2 }))).toEqual([5])
    expect(index.frequency(5)).toBe(0)
  })

  it('ignores removing unknown terms and documents', () => {
    const index = createInvertedIndex()
    index.add(1, postings({ 0: 1 }))
    index.add(2, postings({ 2: 1 }))
    index.remove(0, postings({ 0: 1, 1: 1, 500: 1 }))
    index.remove(2, postings({ 0: 1 }))
    index.remove(3, postings({ 2: 1 }))
    expect(index.frequency(0)).toBe(1)
    expect(index.weight(0, 1)).toBe(1)
    expect(index.frequency(2)).toBe(1)
  })

  it('keeps its own copy of the postings', () => {
    const index = createInvertedIndex()
    const reused = { count: 1, terms: [7], weights: [2] }
    index.add(0, reused)
    reused.weights[0] = 5
    index.add(1, reused)
    expect([index.weight(7, 0), index.weight(7, 1)]).toEqual([2, 5])
  })

  it('raises the tally of each document with the term to gain · w / (w + damping)', () => {
    const index = createInvertedIndex()
    index.add(0, postings({ 0: 1 }))
    index.add(2, postings({ 0: 3 }))
    const tally = createTally(3)
    index.tally(0, 4, new Float32Array([1, 1, 3]), tally, undefined)
    expect([...tally.values]).toEqual([2, 0, 2])
    expect([...tally.slots.slice(0, tally.count)]).toEqual([0, 2])
    index.tally(0, 3, new Float32Array([0, 1, 3]), tally, undefined)
    expect([...tally.values]).toEqual([3, 0, 2])
    index.tally(0, 0, new Float32Array(3), tally, undefined)
    expect([...tally.values]).toEqual([3, 0, 2])
    expect(tally.count).toBe(2)
  })

  it('counts the documents that have a term in their name, whose weights are negative', () => {
    const index = createInvertedIndex()
    index.add(0, postings({ 0: -1 }))
    index.add(1, postings({ 0: 1 }))
    const names = new Float64Array(2)
    const tally = createTally(2)
    index.accumulate(0, 2, new Float32Array([1, 1]), tally, names)
    expect([...tally.values]).toEqual([1, 1])
    index.tally(0, 4, new Float32Array([1, 1]), tally, names)
    expect([...tally.values]).toEqual([2, 2])
    index.accumulate(0, 2, new Float32Array([1, 1]), tally, undefined)
    expect([...names]).toEqual([2, 0])
  })

  it('lists a document once, however many terms match', () => {
    const index = createInvertedIndex()
    index.add(4, postings({ 0: 1, 1: 1 }))
    index.add(6, postings({ 1: 1 }))
    const tally = createTally(8)
    index.tally(0, 1, new Float32Array(8), tally, undefined)
    index.tally(1, 2, new Float32Array(8), tally, undefined)
    expect([...tally.slots.slice(0, tally.count)]).toEqual([4, 6])
    expect(tally.values[4]).toBe(2)
  })

  it('behaves like plain maps after any changes, whenever it is read', async () => {
    const TERMS = [0, 1, 2, 70, 300]
    const document = fc.dictionary(
      fc.constantFrom(...TERMS.map(String)),
      fc.integer({ min: 1, max: 9 }),
      { minKeys: 1 },
    )
    const change = fc.tuple(fc.integer({ min: 0, max: 40 }), document, fc.boolean())
    await checkProperty(
      fc.property(fc.array(change, { maxLength: 200, size: 'max' }), (changes) => {
        const index = createInvertedIndex()
        const documents = new Map<number, Record<string, number>>()
        for (const [slot, weights, isRead] of changes) {
          const existing = documents.get(slot)
          if (existing) {
            index.remove(slot, postings(existing))
            documents.delete(slot)
          } else {
            index.add(slot, postings(weights))
            documents.set(slot, weights)
          }
          if (isRead) slotsOf(index, 0)
        }
        for (const term of TERMS) {
          const expected = [...documents].filter(([, weights]) => term in weights)
          expect(index.frequency(term)).toBe(expected.length)
          expect(slotsOf(index, term)).toEqual(expected.map(([slot]) => slot).sort((a, b) => a - b))
          for (const [slot, weights] of documents) {
            expect(index.weight(term, slot)).toBe(weights[term] ?? 0)
          }
        }
      }),
    )
  })

  it('reuses the blocks of removed terms', async () => {
    const index = createInvertedIndex()
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    for (let round = 0; round < 5_000; round++) {
      const document = postings({ [round]: 1 })
      for (let slot = 0; slot < 100; slot++) index.add(slot, document)
      for (let slot = 0; slot < 100; slot++) index.remove(slot, document)
    }
    // Node frees the memory of collected buffers a moment later.
    await expect
      .poll(() => {
        collectGarbage()
        return process.memoryUsage().arrayBuffers - before
      })
      .toBeLessThan(2_000_000)
  })

  it('keeps the postings of many growing terms separate', () => {
    const index = createInvertedIndex()
    for (let slot = 0; slot < 500; slot++) {
      const weights: Record<number, number> = {}
      for (let term = 0; term <= slot % 40; term++) weights[term] = slot + term
      index.add(slot, postings(weights))
      if (slot % 100 === 50) expect(index.weight(0, slot)).toBe(slot)
    }
    for (let slot = 0; slot < 500; slot++) {
      const weights = Array.from({ length: 40 }, (_, term) => index.weight(term, slot))
      expect(weights).toEqual(weights.map((_, term) => (term <= slot % 40 ? slot + term : 0)))
    }
  })

  it('does not let more postings wait than half of the index holds', () => {
    const index = createInvertedIndex()
    const terms = Array.from({ length: 1_000 }, (_, term) => [term, 1])
    const document = postings(Object.fromEntries(terms))
    const before = process.memoryUsage().arrayBuffers
    for (let slot = 0; slot < 1_000; slot++) index.add(slot, document)
    collectGarbage()
    // Eight bytes for each of a million postings, twelve for each that waits, and spare room.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000)
    expect(index.weight(999, 999)).toBe(1)
  })
})

/** Versions of Node differ in when they free buffers. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function postings(weights: Readonly<Record<number | string, number>>): Postings {
  const terms = Object.keys(weights).map(Number)
  return { count: terms.length, terms, weights: terms.map((term) => weights[term]!) }
}

function slotsOf(index: InvertedIndex, term: number): number[] {
  const tally = createTally(64)
  index.tally(term, 1, new Float32Array(64).fill(1), tally, undefined)
  return [...tally.slots.slice(0, tally.count)]
}
