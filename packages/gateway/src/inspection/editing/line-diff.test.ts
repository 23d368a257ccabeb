import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

describe('lineDiff', () => {
  it('shows a changed line with three lines around it', () => {
    const before = lines(20)
    const after = before.with(9, 'changed')
    const diff = lineDiff(before.join('\n'), after.join('\n'))
    expect(diff.map(({ kind, text, line }) => `${kind} ${line} ${text}`)).toEqual([
      'same 7 line 7',
      'same 8 line 8',
      'same 9 line 9',
      'removed 10 line 10',
      'added 10 changed',
      'same 11 line 11',
      'same 12 line 12',
      'same 13 line 13',
    ])
  })

  it('keeps unchanged lines between changes', () => {
    const diff = lineDiff('a\nb\nc\n', 'x\nb\ny\n')
    expect(diff.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'removed a',
      'added x',
      'same b',
      'removed c',
      'added y',
    ])
  })

  it('is empty for the same text, and ignores the kind of line ending', () => {
    expect(lineDiff('a\nb', 'a\nb')).toEqual([])
    expect(lineDiff('a\r\nb\r\n', 'a\r\nb\r\nc\r\n').map(({ text }) => text)).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('shows long stretches as replaced', () => {
    const diff = lineDiff(
      lines(1_000).join('\n'),
      lines(1_000)
        .map((line) => `${line}!`)
        .join('\n'),
    )
    expect(diff.filter(({ kind }) => kind === 'removed')).toHaveLength(1_000)
    expect(diff.filter(({ kind }) => kind === 'added')).toHaveLength(1_000)
  })
})
