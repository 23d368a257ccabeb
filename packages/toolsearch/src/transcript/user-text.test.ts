import { describe, expect, it } from 'vitest'
import { readMessage } from '../message-shapes.ts'
import { writeExpectedNotice } from './expected-notice.ts'
import { lastUserText } from './user-text.ts'

describe('lastUserText', () => {
  it.each([
    ['a string', { role: 'user', content: 'Refund it.' }],
    ['text blocks', { role: 'user', content: [{ type: 'text', text: 'Refund it.' }] }],
    ['input items', { role: 'user', content: [{ type: 'input_text', text: 'Refund it.' }] }],
    ['parts', { role: 'user', parts: [{ text: 'Refund it.' }, { inlineData: {} }] }],
    [
      'a notice',
      { role: 'user', content: `Refund it.\n\n${writeExpectedNotice([{ name: 'a' }], undefined)}` },
    ],
  ])('reads %s', (_, message) => {
    expect(lastUserText([{ role: 'user', content: 'Hello.' }, message], readMessage)).toBe(
      'Refund it.',
    )
  })

  it.each([
    ['no messages', []],
    [
      'a reply',
      [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Hello.' },
      ],
    ],
    ['results', [{ role: 'user', content: [{ type: 'tool_result', content: 'Paid.' }] }]],
    ['an image', [{ role: 'user', content: [{ type: 'image', source: {} }] }]],
    ['an empty message', [{ role: 'user', content: ' ' }]],
    ['a notice alone', [{ role: 'user', content: writeExpectedNotice([{ name: 'a' }], 'call') }]],
    ['responses', [{ role: 'user', parts: [{ functionResponse: { name: 'pay' } }] }]],
  ])('finds nothing in %s', (_, messages) => {
    expect(lastUserText(messages, readMessage)).toBeUndefined()
  })
})
