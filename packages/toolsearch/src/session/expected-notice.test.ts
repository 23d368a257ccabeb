import { describe, expect, it } from 'vitest'
import { beforeExpectedNotice, toolsInNotices, writeExpectedNotice } from './expected-notice.ts'

const notice = writeExpectedNotice([{ name: 'a', arguments: '{b: "\n"}' }, { name: 'c' }], 'call')

describe('toolsInNotices', () => {
  it.each([
    ['a text', { role: 'user', content: `Pay it.\n\n${notice}` }],
    ['a block', { role: 'user', content: [{ text: 'Pay it.' }, { type: 'text', text: notice }] }],
    ['a developer item', { role: 'developer', content: notice }],
    ['a part', { role: 'user', parts: [{ text: notice }] }],
    ['a message of LangChain', { type: 'human', content: notice }],
    [
      'a text with more after it',
      { role: 'user', content: `${notice}\n\nNew tools:\n{"name":"d"}` },
    ],
  ])('finds the tools in %s', (_, message) => {
    expect([...toolsInNotices([{ role: 'user', content: 'Hello.' }, message])]).toEqual(['a', 'c'])
  })

  it.each([
    ['a reply', { role: 'assistant', content: notice }],
    ['a result', { role: 'user', content: [{ type: 'tool_result', content: notice }] }],
    ['a quote', { role: 'user', content: `> ${notice.replaceAll('\n', '\n> ')}` }],
    ['a broken notice', { role: 'user', content: `${notice.split('\n')[0]}\n{"name":\n` }],
  ])('finds nothing in %s', (_, message) => {
    expect([...toolsInNotices([message, null, 'text'])]).toEqual([])
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
