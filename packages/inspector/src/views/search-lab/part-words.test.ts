import { describe, expect, it } from 'vitest'
import { partWords, weightsByField } from './part-words.ts'

describe('partWords', () => {
  it('names a stand-in only where it is another word', () => {
    const part = { term: 'fetch', field: 'source', match: 'synonym', weight: 1 } as const
    expect(partWords({ ...part, found: 'read' }, 'fetch mail')).toEqual({
      term: 'fetch',
      found: 'read',
      field: 'server',
      match: 'stands for it',
    })
    expect(partWords({ ...part, found: 'fetch' }, 'fetch')).not.toHaveProperty('found')
  })

  it.each([
    ['monei', 'give the money back', 'money'],
    ['custom', 'Refund a Customer', 'customer'],
    ['back', 'give the money back', 'back'],
    ['tool_name', 'something else', 'tool_name'],
  ])('tells %j of %j as %j', (term, query, expected) => {
    const part = { term, field: 'name', match: 'word', weight: 1 } as const
    expect(partWords(part, query).term).toBe(expected)
  })
})

describe('weightsByField', () => {
  it('adds up what one field gave, and leaves out what takes away', () => {
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
