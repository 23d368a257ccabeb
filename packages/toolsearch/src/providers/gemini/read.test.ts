import { describe, expect, it } from 'vitest'
import { loadedIn, searchResult } from '../../message-shapes.fixtures.ts'

describe('read', () => {
  it.each([
    ['as an object', searchResult],
    ['under output', { output: searchResult }],
    ['under output, as text', { output: JSON.stringify(searchResult) }],
    ['under result', { result: searchResult }],
  ])('reads the response to a search %s', (_, response) => {
    const contents = [
      { role: 'user', parts: [{ text: 'What changed?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Looking.', thoughtSignature: 'abc' },
          { functionCall: { name: 'tool_search', args: { query: 'git' } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'tool_search', response } }] },
      { role: 'model', parts: [{ functionCall: { id: 'x', name: 'shell', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'x', name: 'shell', response: { output: 'done' } } }],
      },
    ]
    expect(loadedIn(contents)).toEqual(['git_log', 'git_diff', 'shell'])
  })

  it('ignores the responses of other functions', () => {
    const contents = [
      { role: 'model', parts: [{ functionCall: { name: 'tool_search', args: { query: 'x' } } }] },
      { role: 'model', parts: [{ functionCall: { name: 'list_apps', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'list_apps', response: { tools: ['rm'] } } }],
      },
    ]
    expect(loadedIn(contents)).toEqual(['list_apps'])
  })
})
