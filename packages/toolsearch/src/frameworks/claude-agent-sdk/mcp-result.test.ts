import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it } from 'vitest'
import type { OutputPart } from '../../outputs/output-part.ts'
import { readOutput } from '../../outputs/read-output.ts'
import { mcpResult } from './mcp-result.ts'

const answer = (parts: readonly OutputPart[]) =>
  ({ kind: 'answer', text: '', parts, isError: false }) as const

it.each<[string, OutputPart, object]>([
  ['text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
  [
    'an image',
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ],
  [
    'an image with an address',
    { type: 'image', url: 'https://a.example/b.png', mimeType: 'image/png' },
    {
      type: 'resource_link',
      uri: 'https://a.example/b.png',
      name: 'image',
      mimeType: 'image/png',
    },
  ],
  [
    'a file',
    { type: 'file', data: 'aGk=', mimeType: 'application/pdf', filename: 'a.pdf' },
    {
      type: 'resource',
      resource: { uri: 'file:///a.pdf', blob: 'aGk=', mimeType: 'application/pdf' },
    },
  ],
  [
    'a resource',
    { type: 'resource', uri: 'file:///a.txt', text: 'Hi' },
    { type: 'resource', resource: { uri: 'file:///a.txt', text: 'Hi' } },
  ],
  [
    'a document of a provider',
    {
      type: 'resource',
      uri: 'a.txt',
      text: 'Hi',
      mimeType: 'text/plain',
      native: { provider: 'anthropic', block: { type: 'document' } },
    },
    { type: 'resource', resource: { uri: 'a.txt', text: 'Hi', mimeType: 'text/plain' } },
  ],
  [
    'a link',
    { type: 'link', uri: 'file:///a.txt' },
    { type: 'resource_link', uri: 'file:///a.txt', name: 'file:///a.txt' },
  ],
  [
    'a block of a provider',
    { type: 'native', provider: 'anthropic', block: { type: 'search_result' } },
    { type: 'text', text: '{"type":"search_result"}' },
  ],
])('writes %s as valid MCP content', (_name, part, content) => {
  const result = mcpResult(answer([part]))
  expect(result).toEqual({ content: [content], isError: false })
  expect(CallToolResultSchema.safeParse(result).error).toBeUndefined()
})

it('returns the result of an MCP tool as it is', () => {
  const output = { content: [{ type: 'text', text: 'No.' }], isError: true, _meta: { a: 1 } }
  expect(mcpResult({ ...answer([]), output })).toBe(output)
})

it.each([
  ['data with a content', { content: [{ type: 'article' }], total: 1 }],
  [
    'blocks of a provider',
    {
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      ],
    },
  ],
])('writes %s as MCP content', (_name, output) => {
  const read = readOutput(output)
  const result = mcpResult({ kind: 'answer', text: '', ...read, output })
  expect(result).toEqual(mcpResult(answer(read.parts)))
  expect(CallToolResultSchema.safeParse(result).error).toBeUndefined()
})

it('keeps the data of a result with structured content alone when it adds news', () => {
  const output = { content: [], structuredContent: { lines: 3 } }
  expect(mcpResult({ ...answer([]), output, news: 'New tool: a' })).toEqual({
    content: [
      { type: 'text', text: '{"lines":3}' },
      { type: 'text', text: 'New tool: a' },
    ],
  })
})
