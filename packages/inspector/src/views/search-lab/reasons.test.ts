import { describe, expect, it } from 'vitest'
import type { ScorePart } from '../../api/contract.ts'
import { reasonsOf, weightsByField } from './reasons.ts'

const part = (given: Partial<ScorePart>): ScorePart => ({
  term: 'fetch',
  field: 'name',
  match: 'word',
  weight: 1,
  ...given,
})
const refund = { name: 'payments__refund_payment', summary: 'Give money back to a customer.' }

describe('reasonsOf', () => {
  it('names every word of the query once', () => {
    const reasons = reasonsOf(
      [
        part({ term: 'back', field: 'description', weight: 2 }),
        part({ term: 'back', field: 'semantics', match: 'semantic', found: 'refund' }),
        part({ term: 'back', field: 'parameters' }),
        part({ term: 'monei', field: 'description', weight: 3 }),
      ],
      'give the money back',
      refund,
    )
    expect(reasons.map(({ term }) => term)).toEqual(['back', 'money'])
    expect(reasons[0]).toMatchObject({
      found: ['refund'],
      where: 'description, meaning, parameters',
      weight: 4,
    })
  })

  it('shows whole words instead of pieces and stems', () => {
    const words = ['ref', '##und', '##zzz', 'custom', 'compani'].map((found) =>
      part({ term: 'back', found, field: 'semantics', match: 'semantic' }),
    )
    expect(reasonsOf(words, 'back', refund)[0]?.found).toEqual(['refund', 'customer', 'company'])
  })

  it('calls a part for all words the whole query, and does not repeat the name of the tool', () => {
    const whole = part({ term: 'give it back', found: refund.name, field: 'semantics' })
    expect(reasonsOf([whole], 'Give it back', refund)[0]).toMatchObject({
      term: 'whole query',
      found: [],
    })
  })

  it('names the matching word only if it differs from the word of the query', () => {
    const synonym = part({ field: 'source', match: 'synonym' })
    expect(reasonsOf([{ ...synonym, found: 'read' }], 'fetch mail', refund)[0]).toMatchObject({
      term: 'fetch',
      found: ['read'],
      where: 'server (synonym)',
    })
    expect(reasonsOf([{ ...synonym, found: 'fetch' }], 'fetch', refund)[0]?.found).toEqual([])
  })

  it('shows the word of the query, its translation and the matching word', () => {
    const hole = part({ term: 'get', translatedFrom: 'hole', match: 'synonym', found: 'fetch' })
    expect(reasonsOf([hole], 'hole', refund)[0]).toMatchObject({
      term: 'hole',
      found: ['get', 'fetch'],
    })
  })

  it.each([
    ['monei', 'give the money back', 'money'],
    ['custom', 'Refund a Customer', 'customer'],
    ['back', 'give the money back', 'back'],
    ['tool_name', 'something else', 'tool_name'],
  ])('shows the stem %j of the query %j as %j', (term, query, expected) => {
    expect(reasonsOf([part({ term })], query, refund)[0]?.term).toBe(expected)
  })
})

describe('weightsByField', () => {
  it('adds up the weights of each field, and omits negative sums', () => {
    const of = (field: ScorePart['field'], weight: number) => part({ field, weight })
    expect(
      weightsByField([of('description', 1), of('name', 2), of('description', 2), of('hint', -1)]),
    ).toEqual([
      { field: 'description', weight: 3 },
      { field: 'name', weight: 2 },
    ])
  })
})
