import { expect, it } from 'vitest'
import type { OutputPart } from '../../outputs/output-part.ts'
import { toolMessage } from './tool-message.ts'

const call = { id: '1', name: 'call_tool', args: {} }

it.each<[string, readonly OutputPart[], unknown]>([
  ['text', [{ type: 'text', text: 'Sent.' }], 'Sent.'],
  [
    'an image',
    [
      { type: 'text', text: 'Look:' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'link', uri: 'file:///a', name: 'a' },
    ],
    [
      { type: 'text', text: 'Look:' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'text', text: 'a · file:///a' },
    ],
  ],
  [
    'a file with an address',
    [{ type: 'file', url: 'https://a.example/b.pdf', mimeType: 'application/pdf' }],
    [{ type: 'file', url: 'https://a.example/b.pdf', mimeType: 'application/pdf' }],
  ],
])('writes %s as LangChain does', (_, parts, content) => {
  const answer = { kind: 'answer', text: 'Sent.', parts, isError: false } as const
  const expected = {
    role: 'tool',
    tool_call_id: '1',
    name: 'call_tool',
    status: 'success',
    content,
  }
  expect(toolMessage(call, answer)).toEqual(expected)
})
