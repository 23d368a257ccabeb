import fc from 'fast-check'
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

  it('contains every line of both texts', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after).filter(({ kind }) => kind !== 'gap')
        const side = (other: string) =>
          diff.filter(({ kind }) => kind !== other).map(({ text }) => text)
        if (before.join() === after.join()) return
        if (Math.max(before.length, after.length) > 4) return
        expect(side('added')).toEqual(before)
        expect(side('removed')).toEqual(after)
      }),
    )
  })

  it('does not compare two long texts that have little in common', () => {
    const lines = (word: string) => Array.from({ length: 30_000 }, (_, at) => `${word} ${at}`)
    expect(diffLines(lines('old'), lines('new'))).toHaveLength(60_000)
  })
})

describe('jsonLines', () => {
  it('ignores the order of keys', () => {
    expect(jsonLines({ b: [{ d: 1, c: 2 }], a: 1 })).toEqual(
      jsonLines({ a: 1, b: [{ c: 2, d: 1 }] }),
    )
  })
})
