import { describe, expect, it } from 'vitest'
import { createTermTable } from './term-table.ts'

describe('createTermTable', () => {
  it('numbers terms in order of arrival', () => {
    const terms = createTermTable()
    expect(['issue', 'send', 'issue', '__proto__'].map(terms.numberOf)).toEqual([0, 1, 0, 2])
    expect(terms.termOf(2)).toBe('__proto__')
    expect(terms.find('send')).toBe(1)
    expect(terms.find('other')).toBe(-1)
    expect(terms.size()).toBe(3)
  })

  it('gives a free number to the next new term, once', () => {
    const terms = createTermTable()
    for (const term of ['a', 'b', 'c']) terms.numberOf(term)
    terms.free(1)
    terms.free(1)
    expect(terms.find('b')).toBe(-1)
    expect(['d', 'e'].map(terms.numberOf)).toEqual([1, 3])
  })
})
