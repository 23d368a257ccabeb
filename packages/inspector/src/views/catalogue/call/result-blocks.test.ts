import { expect, it } from 'vitest'
import { resultBlocks } from './result-blocks.ts'

it('shows text, JSON and rows as what they are', () => {
  const content = [
    { type: 'text', text: 'done' },
    { type: 'text', text: '{"a":[1]}' },
    { type: 'text', text: '[{"id":1,"name":"a"},{"name":"b","id":2}]' },
    { type: 'text', text: '[{"id":1},{"name":"b"}]' },
    { type: 'text', text: '[broken' },
  ]
  expect(resultBlocks({ content }).map(({ kind }) => kind)).toEqual([
    'text',
    'json',
    'table',
    'json',
    'text',
  ])
})

it('shows pictures and sound, but only from base64 of their type', () => {
  const content = [
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'image', data: '"><script>', mimeType: 'image/png' },
    { type: 'image', data: 'aGk=', mimeType: 'text/html' },
  ]
  expect(resultBlocks({ content })).toMatchObject([
    { kind: 'image', url: 'data:image/png;base64,aGk=' },
    { kind: 'audio', url: 'data:audio/wav;base64,aGk=' },
    { kind: 'json' },
    { kind: 'json' },
  ])
})

it('links resources, and shows embedded ones', () => {
  const content = [
    { type: 'resource_link', uri: 'file:///a', name: 'a', description: 'the file' },
    { type: 'resource', resource: { uri: 'x:y', text: 'inside' } },
    { type: 'resource', resource: { uri: 'x:y', blob: 'aGk=', mimeType: 'image/png' } },
  ]
  expect(resultBlocks({ content })).toMatchObject([
    { kind: 'link', uri: 'file:///a', name: 'a', note: 'the file' },
    { kind: 'text', text: 'inside' },
    { kind: 'image' },
  ])
})

it('shows structured content once, as a table if it is one', () => {
  const rows = [{ id: 1 }, { id: 2 }]
  const blocks = resultBlocks({
    content: [{ type: 'text', text: JSON.stringify({ rows }) }],
    structuredContent: { rows },
  })
  expect(blocks).toEqual([{ kind: 'table', columns: ['id'], rows }])
})
