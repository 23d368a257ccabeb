import { describe, expect, it } from 'vitest'
import { diffLines, jsonLines } from './diff-lines.ts'

const signs = { same: ' ', removed: '-', added: '+', gap: '…' }
const drawn = (before: string, after: string) =>
  diffLines([...before], [...after]).map(({ kind, text }) =>
    kind === 'gap' ? '…' : signs[kind] + text,
  )

describe('diffLines', () => {
  it.each([
    ['abc', 'abc', ['…']],
    ['abc', 'axc', [' a', '-b', '+x', ' c']],
    ['', 'a', ['+a']],
    ['a', '', ['-a']],
    ['abcdefghi', 'abcdXfghi', ['…', ' b', ' c', ' d', '-e', '+X', ' f', ' g', ' h', '…']],
  ])('compares %j with %j', (before, after, expected) => {
    expect(drawn(before, after)).toEqual(expected)
  })

  it('does not compare two long texts that have little in common', () => {
    const lines = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`)
    expect(diffLines(lines('old'), lines('new'))).toHaveLength(10_000)
  })
})

describe('jsonLines', () => {
  it('ignores the order of keys', () => {
    expect(jsonLines({ b: [{ d: 1, c: 2 }], a: 1 })).toEqual(
      jsonLines({ a: 1, b: [{ c: 2, d: 1 }] }),
    )
  })
})
