import { describe, expect, it } from 'vitest'
import { type EvaluationQuery, labelsOf } from './evaluation-set.ts'

describe('labelsOf', () => {
  it.each<[string, Omit<EvaluationQuery, 'query'>, string[][]]>([
    ['one label per relevant tool', { relevant: ['a', 'b'] }, [['a'], ['b']]],
    ['one label for a repeated tool', { relevant: ['a', 'a'] }, [['a']]],
    [
      'one label per group',
      { relevant: ['a', 'b', 'c'], groups: [['a', 'b'], ['c']] },
      [['a', 'b'], ['c']],
    ],
    [
      'a separate label for a tool that is not in a group',
      { relevant: ['a', 'b', 'c'], groups: [['a', 'b']] },
      [['a', 'b'], ['c']],
    ],
    ['labels for groups even without relevant tools', { relevant: [], groups: [['a']] }, [['a']]],
    ['no label for an empty group', { relevant: ['a'], groups: [[], ['a']] }, [['a']]],
    ['no labels without relevant tools', { relevant: [] }, []],
  ])('returns %s', (_, query, labels) => {
    expect(labelsOf({ query: 'q', ...query }).map((label) => [...label])).toEqual(labels)
  })
})
