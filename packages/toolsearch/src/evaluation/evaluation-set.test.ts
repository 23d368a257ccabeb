import { describe, expect, it } from 'vitest'
import { type EvaluationQuery, labelsOf } from './evaluation-set.ts'

describe('labelsOf', () => {
  it.each<[string, Omit<EvaluationQuery, 'query'>, string[][]]>([
    ['every relevant tool', { relevant: ['a', 'b'] }, [['a'], ['b']]],
    ['a tool named twice once', { relevant: ['a', 'a'] }, [['a']]],
    [
      'each group as one',
      { relevant: ['a', 'b', 'c'], groups: [['a', 'b'], ['c']] },
      [['a', 'b'], ['c']],
    ],
    [
      'a tool beside the groups',
      { relevant: ['a', 'b', 'c'], groups: [['a', 'b']] },
      [['a', 'b'], ['c']],
    ],
    ['groups where relevant names nothing', { relevant: [], groups: [['a']] }, [['a']]],
    ['no empty group', { relevant: ['a'], groups: [[], ['a']] }, [['a']]],
    ['nothing where nothing serves', { relevant: [] }, []],
  ])('counts %s', (_, query, labels) => {
    expect(labelsOf({ query: 'q', ...query }).map((label) => [...label])).toEqual(labels)
  })
})
