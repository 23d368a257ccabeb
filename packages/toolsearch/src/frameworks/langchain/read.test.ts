import { expect, it } from 'vitest'
import { loadedIn, searchResult } from '../../message-shapes.fixtures.ts'
import { read } from './read.ts'

it('reads searches and calls in LangChain messages', () => {
  const messages = [
    { type: 'human', content: 'What changed?' },
    {
      type: 'ai',
      content: '',
      tool_calls: [
        { type: 'tool_call', id: 'call_1', name: 'tool_search', args: { query: 'git' } },
        { type: 'tool_call', id: 'call_2', name: 'shell', args: {} },
      ],
    },
    { type: 'tool', tool_call_id: 'call_1', content: JSON.stringify(searchResult) },
    { type: 'tool', tool_call_id: 'call_2', content: 'done' },
  ]
  expect(loadedIn(messages, 'tool_search', read)).toEqual(['shell', 'git_log', 'git_diff'])
})
