import { describe, expect, it } from 'vitest'
import { describePart, weightsByField } from './describe-part.ts'

describe('describePart', () => {
  it('names the matched word only if it differs from the one in the query', () => {
    const part = { term: 'fetch', field: 'source', match: 'synonym', weight: 1 } as const
    expect(describePart({ ...part, found: 'read' }, 'fetch mail')).toEqual({
      term: 'fetch',
      found: 'read',
      field: 'server',
      match: 'synonym',
    })
    expect(describePart({ ...part, found: 'fetch' }, 'fetch')).not.toHaveProperty('found')
  })

  it('shows the word of the query, its translation and the matched word', () => {
    const part = { term: 'get', field: 'name', match: 'synonym', weight: 1 } as const
    const described = describePart({ ...part, translatedFrom: 'hole', found: 'fetch' }, 'hole')
    expect(described).toMatchObject({ term: 'hole', found: 'get → fetch' })
    expect(describePart({ ...part, translatedFrom: 'hole' }, 'hole').found).toBe('get')
  })

  it.each([
    ['monei', 'give the money back', 'money'],
    ['custom', 'Refund a Customer', 'customer'],
    ['back', 'give the money back', 'back'],
    ['tool_name', 'something else', 'tool_name'],
  ])('shows the stem %j of the query %j as %j', (term, query, expected) => {
    const part = { term, field: 'name', match: 'word', weight: 1 } as const
    expect(describePart(part, query).term).toBe(expected)
  })
})

describe('weightsByField', () => {
  it('adds up the weights of each field, and omits negative sums', () => {
    const part = (field: 'name' | 'description' | 'hint', weight: number) =>
      ({ term: 'a', match: 'word', field, weight }) as const
    expect(
      weightsByField([
        part('description', 1),
        part('name', 2),
        part('description', 2),
        part('hint', -1),
      ]),
    ).toEqual([
      { field: 'description', weight: 3 },
      { field: 'name', weight: 2 },
    ])
  })
})
