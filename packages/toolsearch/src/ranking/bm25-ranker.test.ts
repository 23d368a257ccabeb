import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { bm25Ranker } from './bm25-ranker.ts'
import { describeRanker, namesOf, partsOf, readWords, scoresOf } from './ranker.cases.ts'

describe('bm25Ranker', () => {
  describeRanker(() => bm25Ranker())

  it('scores by the formula of Okapi BM25', async () => {
    const word = fc.constantFrom('read', 'file', 'send', 'mail', 'note')
    const document = fc.array(word, { minLength: 1, maxLength: 8 })
    const k1 = fc.constantFrom(1.2, 2, 0.5)
    const b = fc.constantFrom(0, 0.75, 1)
    await checkProperty(
      fc.property(fc.array(document, { minLength: 1, maxLength: 8 }), document, k1, b, check),
    )

    function check(documents: string[][], query: string[], k1: number, b: number): void {
      const ranker = bm25Ranker({ k1, b })
      const texts = documents.map((terms, i) => [`t${'abcdefgh'[i]}`, ...terms])
      for (const [name, ...terms] of texts) {
        ranker.set(readDefinition({ name, description: terms.join(', ') }))
      }
      const average = texts.reduce((sum, terms) => sum + terms.length, 0) / texts.length
      const scores = new Map(scoresOf(ranker, query.join(' ')))
      for (const terms of texts) {
        let expected = 0
        for (const term of new Set(query)) {
          const frequency = terms.filter((one) => one === term).length
          const holders = texts.filter((one) => one.includes(term)).length
          const rarity = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
          const damping = k1 * (1 - b + (b * terms.length) / average)
          expected += (rarity * frequency) / (frequency + damping)
        }
        expect(scores.get(terms[0]!) ?? 0).toBeCloseTo(expected, 5)
      }
    }
  })

  it('prefers a rare word to a common one', () => {
    const ranker = bm25Ranker()
    for (const name of ['a', 'b', 'c', 'd']) {
      ranker.set(readDefinition({ name, description: 'reads files' }))
    }
    ranker.set(readDefinition({ name: 'e', description: 'reads invoices' }))
    expect(namesOf(ranker, 'reads invoices')[0]).toBe('e')
  })

  it('penalises a long text', () => {
    const ranker = bm25Ranker()
    ranker.set(readDefinition({ name: 'a', description: `reads ${'other words '.repeat(20)}` }))
    ranker.set(readDefinition({ name: 'b', description: 'reads words' }))
    expect(namesOf(ranker, 'reads')).toEqual(['b', 'a'])
  })

  it('splits names into words', () => {
    const ranker = bm25Ranker()
    ranker.set(readDefinition({ name: 'getHTTPServerURL' }))
    ranker.set(readDefinition({ name: 'mcp__mail__send_message' }))
    expect(namesOf(ranker, 'server')).toEqual(['getHTTPServerURL'])
    expect(namesOf(ranker, 'url')).toEqual(['getHTTPServerURL'])
    expect(namesOf(ranker, 'message')).toEqual(['mcp__mail__send_message'])
  })

  it('finds a word regardless of how its accents are encoded', () => {
    const ranker = bm25Ranker()
    ranker.set(readDefinition({ name: 'a', description: 'École'.normalize('NFD') }))
    ranker.set(readDefinition({ name: 'b', description: 'Überweisung'.normalize('NFC') }))
    expect(namesOf(ranker, 'école'.normalize('NFC'))).toEqual(['a'])
    expect(namesOf(ranker, 'Überweisung'.normalize('NFD'))).toEqual(['b'])
  })

  it('explains which field a score comes from', () => {
    const ranker = bm25Ranker()
    ranker.set(readDefinition({ name: 'send_mail', description: 'Send mail, send post' }))
    ranker.set(readDefinition({ name: 'other' }))
    const parts = partsOf(ranker, 'send', 'send_mail')
    expect(parts.map(({ field, match }) => [field, match])).toEqual([
      ['name', 'word'],
      ['description', 'word'],
    ])
    expect(parts[1]!.weight / parts[0]!.weight).toBeCloseTo(2, 6)
  })

  it('reports the ideal score, which a tool with every word reaches', () => {
    const ranker = bm25Ranker()
    ranker.set(readDefinition({ name: 'send', description: 'mail now' }))
    ranker.set(readDefinition({ name: 'read', description: 'mail now' }))
    const options = { limit: 1, ties: 'name' } as const
    const both = ranker.rank(readWords('send mail'), options)
    expect(both.hits[0]!.score).toBeCloseTo(both.idealScore!, 6)
    const chance = ranker.rank(readWords('bake a cake with mail'), options)
    expect(chance.hits[0]!.score).toBeLessThan(chance.idealScore! / 4)
  })
})
