import { describe, expect, it } from 'vitest'
import { loadedIn, searchResult } from '../../message-shapes.fixtures.ts'

describe('read', () => {
  it('reads searches and calls in order', () => {
    const messages = [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'What changed?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'tool_search', arguments: '{"query":"git"}' },
          },
          { id: 'call_2', type: 'function', function: { name: 'shell', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(searchResult) },
      { role: 'tool', tool_call_id: 'call_2', content: 'done' },
      { role: 'assistant', content: 'There.' },
    ]
    expect(loadedIn(messages)).toEqual(['shell', 'git_log', 'git_diff'])
  })

  it('reads a result with content parts', () => {
    const messages = [
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'tool_search', arguments: '{}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: [{ type: 'text', text: JSON.stringify(searchResult) }],
      },
    ]
    expect(loadedIn(messages)).toEqual(['git_log', 'git_diff'])
  })

  it('ignores the results of other tools', () => {
    const messages = [
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'list_apps', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify({ tools: ['rm', 'dd'] }) },
    ]
    expect(loadedIn(messages)).toEqual(['list_apps'])
  })
})
