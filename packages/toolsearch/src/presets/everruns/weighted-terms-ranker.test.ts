import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, scoresOf } from '../../ranking/ranker.cases.ts'
import { weightedTermsRanker } from './weighted-terms-ranker.ts'

const definitions = [
  { name: 'read_file', description: 'Read contents' },
  { name: 'send_email', description: 'Send a message' },
  { name: 'write_file', description: 'Write contents' },
]

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
  ])('scores %j like everruns', (text, scores) => {
    const ranker = weightedTermsRanker()
    for (const definition of definitions) ranker.set(readDefinition(definition))
    expect(scoresOf(ranker, text, { limit: 9, ties: 'catalogue' })).toEqual(scores)
  })

  it('ranks an exact name far above a name that only contains it', () => {
    const ranker = weightedTermsRanker()
    ranker.set(readDefinition({ name: 'read_file_lines', description: 'read_file read_file' }))
    ranker.set(readDefinition({ name: 'read_file' }))
    expect(scoresOf(ranker, 'read_file')).toEqual([
      ['read_file', 103],
      ['read_file_lines', 3],
    ])
  })
})
