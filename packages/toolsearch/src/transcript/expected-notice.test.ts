import { describe, expect, it } from 'vitest'
import { beforeExpectedNotice, toolsInNotice, writeExpectedNotice } from './expected-notice.ts'

const notice = writeExpectedNotice([{ name: 'a', arguments: '{b: "\n"}' }, { name: 'c' }], 'call')

describe('toolsInNotice', () => {
  it.each([
    ['a notice', notice],
    ['a notice after a text', `Pay it.\n\n${notice}`],
    ['a notice before a text', `${notice}\n\nNew tools:\n{"name":"d"}`],
  ])('finds the tools in %s', (_, text) => {
    expect(toolsInNotice(text)).toEqual(['a', 'c'])
  })

  it.each([
    ['a text without a notice', 'Pay it.'],
    ['a quote', `> ${notice.replaceAll('\n', '\n> ')}`],
    ['a broken notice', `${notice.split('\n')[0]}\n{"name":\n`],
  ])('finds nothing in %s', (_, text) => {
    expect(toolsInNotice(text)).toEqual([])
  })
})

describe('beforeExpectedNotice', () => {
  it('returns the text before a notice', () => {
    expect(beforeExpectedNotice(`Pay it.\n\n${notice}`)).toBe('Pay it.')
    expect(beforeExpectedNotice(notice)).toBe('')
    expect(beforeExpectedNotice('Tools that may fit this request?')).toBe(
      'Tools that may fit this request?',
    )
  })
})
