import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInvertedIndex, createTally, type InvertedIndex } from './inverted-index.ts'

describe('createInvertedIndex', () => {
  it('returns the documents with a term and their weights', () => {
    const index = createInvertedIndex()
    index.add(
      3,
      new Map([
        ['issue', 3],
        ['send', 1],
      ]),
    )
    index.add(8, new Map([['issue', 0.5]]))
    expect(index.has('issue')).toBe(true)
    expect(index.has('other')).toBe(false)
    expect(index.frequency('issue')).toBe(2)
    expect(index.frequency('send')).toBe(1)
    expect(index.frequency('other')).toBe(0)
    expect(index.weight('issue', 3)).toBe(3)
    expect(index.weight('issue', 8)).toBe(0.5)
    expect(index.weight('send', 8)).toBe(0)
    expect(index.weight('issue', 5)).toBe(0)
    expect(index.weight('issue', 9)).toBe(0)
    expect(index.weight('other', 3)).toBe(0)
  })

  it('removes a term with its last document', () => {
    const index = createInvertedIndex()
    index.add(0, new Map([['a', 1]]))
    index.add(1, new Map([['a', 2]]))
    index.remove(0, ['a'])
    expect(index.frequency('a')).toBe(1)
    expect(index.weight('a', 0)).toBe(0)
    expect(index.weight('a', 1)).toBe(2)
    index.remove(1, ['a'])
    expect(index.has('a')).toBe(false)
  })

  it('ignores removing unknown terms and documents', () => {
    const index = createInvertedIndex()
    index.add(1, new Map([['a', 1]]))
    index.add(2, new Map([['c', 1]]))
    index.remove(0, ['a', 'b'])
    index.remove(2, ['a'])
    index.remove(3, ['c'])
    expect(index.frequency('a')).toBe(1)
    expect(index.weight('a', 1)).toBe(1)
    expect(index.frequency('c')).toBe(1)
  })

  it('raises the tally of each document with the term to gain · w / (w + damping)', () => {
    const index = createInvertedIndex()
    index.add(0, new Map([['a', 1]]))
    index.add(2, new Map([['a', 3]]))
    const tally = createTally(3)
    index.tally('a', 4, new Float32Array([1, 1, 3]), tally)
    expect([...tally.values]).toEqual([2, 0, 2])
    expect([...tally.slots.slice(0, tally.count)]).toEqual([0, 2])
    index.tally('a', 3, new Float32Array([0, 1, 3]), tally)
    expect([...tally.values]).toEqual([3, 0, 2])
    index.tally('b', 4, new Float32Array(3), tally)
    index.tally('a', 0, new Float32Array(3), tally)
    expect([...tally.values]).toEqual([3, 0, 2])
    expect(tally.count).toBe(2)
  })

  it('sums the weights of a term', () => {
    const index = createInvertedIndex()
    index.add(0, new Map([['a', 1]]))
    index.add(2, new Map([['a', 3]]))
    const numbers = new Float64Array([1, 1, 1])
    index.sum('a', numbers)
    index.sum('b', numbers)
    expect([...numbers]).toEqual([2, 1, 4])
  })

  it('reports new terms and lost terms', () => {
    const events: string[] = []
    const index = createInvertedIndex({
      onNewTerm: (term) => events.push(`+${term}`),
      onLostTerm: (term) => events.push(`-${term}`),
    })
    index.add(0, new Map([['a', 1]]))
    index.add(1, new Map([['a', 1]]))
    index.remove(0, ['a'])
    expect(events).toEqual(['+a'])
    index.remove(1, ['a'])
    expect(events).toEqual(['+a', '-a'])
  })

  it('lists a document once, however many terms match', () => {
    const index = createInvertedIndex()
    index.add(
      4,
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    )
    index.add(6, new Map([['b', 1]]))
    const tally = createTally(8)
    index.tally('a', 1, new Float32Array(8), tally)
    index.tally('b', 2, new Float32Array(8), tally)
    expect([...tally.slots.slice(0, tally.count)]).toEqual([4, 6])
    expect(tally.values[4]).toBe(2)
  })

  it('behaves like plain maps after any changes', () => {
    const term = fc.constantFrom('a', 'b', 'c', '__proto__', '中')
    const document = fc.dictionary(term, fc.integer({ min: 1, max: 9 }), { minKeys: 1 })
    const change = fc.tuple(fc.integer({ min: 0, max: 40 }), document)
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200, size: 'max' }), (changes) => {
        const index = createInvertedIndex()
        const documents = new Map<number, Map<string, number>>()
        for (const [slot, words] of changes) {
          const existing = documents.get(slot)
          if (existing) {
            index.remove(slot, existing.keys())
            documents.delete(slot)
          } else {
            const weights = new Map(Object.entries(words))
            index.add(slot, weights)
            documents.set(slot, weights)
          }
        }
        for (const one of ['a', 'b', 'c', '__proto__', '中']) {
          const expected = [...documents].filter(([, weights]) => weights.has(one))
          expect(index.frequency(one)).toBe(expected.length)
          expect(index.has(one)).toBe(expected.length > 0)
          expect(slotsOf(index, one)).toEqual(expected.map(([slot]) => slot).sort((a, b) => a - b))
          for (const [slot, weights] of documents) {
            expect(index.weight(one, slot)).toBe(weights.get(one) ?? 0)
          }
        }
      }),
    )
  })

  it('reuses the blocks of removed terms', () => {
    const index = createInvertedIndex()
    const before = process.memoryUsage().arrayBuffers
    for (let round = 0; round < 5_000; round++) {
      for (let slot = 0; slot < 100; slot++) index.add(slot, new Map([[`t${round}`, 1]]))
      for (let slot = 0; slot < 100; slot++) index.remove(slot, [`t${round}`])
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000)
  })

  it('keeps the postings of many growing terms separate', () => {
    const index = createInvertedIndex()
    for (let slot = 0; slot < 500; slot++) {
      const weights = new Map<string, number>()
      for (let term = 0; term <= slot % 40; term++) weights.set(`t${term}`, slot + term)
      index.add(slot, weights)
    }
    for (let slot = 0; slot < 500; slot++) {
      for (let term = 0; term < 40; term++) {
        expect(index.weight(`t${term}`, slot)).toBe(term <= slot % 40 ? slot + term : 0)
      }
    }
  })
})

function slotsOf(index: InvertedIndex, term: string): number[] {
  const tally = createTally(64)
  index.tally(term, 1, new Float32Array(64).fill(1), tally)
  return [...tally.slots.slice(0, tally.count)]
}
