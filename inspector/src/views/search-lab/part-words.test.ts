import { describe, expect, it } from 'vitest'
import { partWords, weightsByField } from './part-words.ts'

describe('partWords', () => {
  it('names a stand-in only where it is another word', () => {
    const part = { term: 'fetch', field: 'source', match: 'synonym', weight: 1 } as const
    expect(partWords({ ...part, found: 'read' })).toEqual({
      term: 'fetch',
      found: 'read',
      field: 'server',
      match: 'stands for it',
    })
    expect(partWords({ ...part, found: 'fetch' })).not.toHaveProperty('found')
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
