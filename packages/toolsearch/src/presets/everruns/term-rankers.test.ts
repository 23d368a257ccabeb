import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, partsOf, scoresOf } from '../../ranking/ranker.cases.ts'
import { termCountRanker, weightedTermsRanker } from './term-rankers.ts'

const definitions = [
  { name: 'read_file', description: 'Read contents' },
  { name: 'send_email', description: 'Send a message' },
  { name: 'write_file', description: 'Write contents' },
]

describe('termCountRanker', () => {
  describeRanker(termCountRanker)

  it.each<[string, [string, number][]]>([
    [
      'read file',
      [
        ['read_file', 2],
        ['write_file', 1],
      ],
    ],
    ['"read_file"', [['read_file', 1]]],
    ['email', [['send_email', 1]]],
    ['read read read', [['read_file', 3]]],
    [
      'file',
      [
        ['read_file', 1],
        ['write_file', 1],
      ],
    ],
  ])('counts the words of %j that a tool has', (text, scores) => {
    const ranker = termCountRanker()
    for (const definition of definitions) ranker.set(readDefinition(definition))
    expect(scoresOf(ranker, text, { limit: 9, ties: 'catalogue' })).toEqual(scores)
  })

  it('gives one point for a word that stands in the name and in the description', () => {
    const ranker = termCountRanker()
    ranker.set(readDefinition({ name: 'read', description: 'read' }))
    expect(partsOf(ranker, 'read', 'read')).toEqual([
      { term: 'read', field: 'name', match: 'contains', weight: 1 },
    ])
  })
})

describe('weightedTermsRanker', () => {
  describeRanker(weightedTermsRanker)

  it.each<[string, [string, number][]]>([
    [
      'read file',
      [
        ['read_file', 6],
        ['write_file', 3],
      ],
    ],
    ['"read_file"', [['read_file', 103]]],
    ['`READ_FILE`', [['read_file', 103]]],
    [
      'contents',
      [
        ['read_file', 1],
        ['write_file', 1],
      ],
    ],
    ['email message', [['send_email', 4]]],
  ])('scores %j as everruns does', (text, scores) => {
    const ranker = weightedTermsRanker()
    for (const definition of definitions) ranker.set(readDefinition(definition))
    expect(scoresOf(ranker, text, { limit: 9, ties: 'catalogue' })).toEqual(scores)
  })

  it('puts a tool called exactly so out of reach of one that only contains it', () => {
    const ranker = weightedTermsRanker()
    ranker.set(readDefinition({ name: 'read_file_lines', description: 'read_file read_file' }))
    ranker.set(readDefinition({ name: 'read_file' }))
    expect(scoresOf(ranker, 'read_file')).toEqual([
      ['read_file', 103],
      ['read_file_lines', 3],
    ])
  })
})
