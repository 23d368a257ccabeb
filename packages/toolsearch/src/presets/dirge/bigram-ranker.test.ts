import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, namesOf, partsOf, scoresOf } from '../../ranking/ranker.cases.ts'
import { bigramRanker } from './bigram-ranker.ts'

describe('bigramRanker', () => {
  describeRanker(bigramRanker)

  it('adds up all matches of a tool', () => {
    const ranker = bigramRanker()
    ranker.set(readDefinition({ name: 'read', description: 'Can read files' }))
    expect(partsOf(ranker, 'read', 'read')).toEqual([
      { term: 'read', field: 'name', match: 'exact', weight: 10 },
      { term: 'read', field: 'name', match: 'contains', weight: 4 },
      { term: 'read', field: 'name', match: 'part', weight: 2 },
      { term: 'read', field: 'name', match: 'similar', weight: 3 },
      { term: 'read', field: 'description', match: 'contains', weight: 1.5 },
      { term: 'read', field: 'description', match: 'part', weight: 0.5 },
      { term: 'read', field: 'description', match: 'similar', weight: 6 / 16 },
    ])
  })

  it('counts a name contained in the query as a name match', () => {
    const ranker = bigramRanker()
    ranker.set(readDefinition({ name: 'read' }))
    const parts = partsOf(ranker, 'spreadsheet', 'read')
    expect(parts).toEqual([
      { term: 'spreadsheet', field: 'name', match: 'contains', weight: 4 },
      {
        term: 'spreadsheet',
        field: 'name',
        match: 'similar',
        weight: expect.closeTo((3 * 6) / 13, 6),
      },
    ])
  })

  it('ignores words below two bytes in names and three bytes in descriptions', () => {
    const ranker = bigramRanker()
    ranker.set(readDefinition({ name: 'go_x_中', description: 'go x 中' }))
    const parts = partsOf(ranker, 'x go 中', 'go_x_中')
      .filter((part) => part.match === 'part')
      .map(({ term, field }) => [term, field])
    expect(parts).toEqual([
      ['go', 'name'],
      ['中', 'name'],
      ['中', 'description'],
    ])
  })

  it('tolerates typos', () => {
    const ranker = bigramRanker()
    ranker.set(readDefinition({ name: 'send_email' }))
    ranker.set(readDefinition({ name: 'read_calendar' }))
    expect(namesOf(ranker, 'calender')[0]).toBe('read_calendar')
  })

  it('returns nothing if no bigram is shared', () => {
    const ranker = bigramRanker()
    ranker.set(readDefinition({ name: 'read', description: 'Read a file' }))
    expect(scoresOf(ranker, 'qwwwq')).toEqual([])
  })

  it('does not reuse the bigrams of the previous query', () => {
    const ranker = bigramRanker()
    ranker.set(readDefinition({ name: 'read_file' }))
    const first = scoresOf(ranker, 'read')
    scoresOf(ranker, 'write')
    expect(scoresOf(ranker, 'read')).toEqual(first)
  })
})
