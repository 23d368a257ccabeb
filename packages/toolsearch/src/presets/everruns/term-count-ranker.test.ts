import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, readWords, scoresOf } from '../../ranking/ranker.cases.ts'
import { termCountRanker } from './term-count-ranker.ts'

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
  ])('gives each tool one point per word of %j it contains', (text, scores) => {
    const ranker = termCountRanker()
    for (const definition of definitions) ranker.set(readDefinition(definition))
    expect(scoresOf(ranker, text, { limit: 9, ties: 'catalogue' })).toEqual(scores)
  })

  it('gives a word that is in both name and description one point, not two', () => {
    const ranker = termCountRanker()
    ranker.set(readDefinition({ name: 'read', description: 'read' }))
    expect(ranker.explain(readWords('read'), 'read')).toEqual([
      { term: 'read', field: 'name', match: 'contains', weight: 1 },
    ])
  })
})
