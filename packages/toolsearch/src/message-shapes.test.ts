import { describe, expect, it } from 'vitest'
import { loadedIn, searchResult } from './message-shapes.fixtures.ts'

describe('readMessage', () => {
  it('return each tool once, in order of first appearance', () => {
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'b', input: {} }] },
      { content: [{ type: 'tool_use', id: '2', name: 'a', input: {} }] },
      { content: [{ type: 'tool_use', id: '3', name: 'b', input: {} }] },
    ]
    expect(loadedIn(messages)).toEqual(['b', 'a'])
  })

  it.each([
    [
      'Anthropic',
      { content: [{ type: 'tool_use', id: '1', name: 'call_tool', input: { name: 'git_log' } }] },
    ],
    [
      'Chat Completions',
      {
        role: 'assistant',
        tool_calls: [
          {
            id: '1',
            type: 'function',
            function: { name: 'call_tool', arguments: '{"name":"git_log","arguments":{}}' },
          },
        ],
      },
    ],
    [
      'Responses',
      { type: 'function_call', call_id: '1', name: 'call_tool', arguments: '{"name":"git_log"}' },
    ],
    ['Gemini', { parts: [{ functionCall: { name: 'call_tool', args: { name: 'git_log' } } }] }],
    [
      'AI SDK',
      {
        content: [
          {
            type: 'tool-call',
            toolCallId: '1',
            toolName: 'call_tool',
            input: { name: 'git_log' },
          },
        ],
      },
    ],
  ])(
    'read a call through call_tool as a call to the inner tool, in a history of %s',
    (_, message) => {
      expect(loadedIn([message])).toEqual(['git_log'])
    },
  )

  it('read a call to call_tool without an inner name as a call to call_tool', () => {
    const messages = [
      { parts: [{ functionCall: { name: 'call_tool', args: { number: 7 } } }] },
      { type: 'function_call', call_id: '1', name: 'call_tool', arguments: '{"name":' },
    ]
    expect(loadedIn(messages)).toEqual(['call_tool'])
  })

  it('never return the search tool, whatever its name', () => {
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'FindTools', input: { query: 'x' } }] },
      {
        content: [{ type: 'tool_result', tool_use_id: '1', content: JSON.stringify(searchResult) }],
      },
    ]
    expect(loadedIn(messages, 'FindTools')).toEqual(['git_log', 'git_diff'])
  })

  it('ignore the arguments of calls', () => {
    const fake = { type: 'tool_use', id: '9', name: 'fake', input: {} }
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'note', input: { entry: fake } }] },
      { content: [{ type: 'tool-call', toolCallId: '2', toolName: 'note', input: [fake] }] },
      { parts: [{ functionCall: { name: 'note', args: { entry: fake } } }] },
      { type: 'tool_search_call', call_id: '3', arguments: { query: fake } },
    ]
    expect(loadedIn(messages)).toEqual(['note'])
  })

  it.each([
    [
      'AI SDK',
      [
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'read_log', input: {} }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: '1',
              toolName: 'read_log',
              output: {
                type: 'json',
                value: { entries: [{ type: 'tool_use', id: '9', name: 'drop_table', input: {} }] },
              },
            },
          ],
        },
      ],
    ],
    [
      'Gemini',
      [
        { role: 'model', parts: [{ functionCall: { name: 'read_log', args: {} } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'read_log',
                response: { entries: [{ type: 'tool_reference', tool_name: 'drop_table' }] },
              },
            },
          ],
        },
      ],
    ],
  ])('ignore the results of other tools, in a history of %s', (_, messages) => {
    expect(loadedIn(messages)).toEqual(['read_log'])
  })

  it('read a plain-text result without the names that were not found', () => {
    const text = 'Loaded:\n- git_log\n\nAlready loaded:\n- git_diff\n\nNot found:\n- git_blame'
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: text }] },
    ]
    expect(loadedIn(messages)).toEqual(['git_log', 'git_diff'])
  })

  it('read references that were sent as JSON text', () => {
    const text = JSON.stringify([{ type: 'tool_reference', tool_name: 'git_log' }])
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: text }] },
    ]
    expect(loadedIn(messages)).toEqual(['git_log'])
  })

  it.each([null, undefined, 7, true, [], [null], {}, '', 'null', '7', '[1]', 'No match.'])(
    'read nothing from the search result %j',
    (content) => {
      const messages = [
        { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
        { content: [{ type: 'tool_result', tool_use_id: '1', content }] },
      ]
      expect(loadedIn(messages)).toEqual([])
    },
  )

  it('read nothing from values that are not messages', () => {
    const invalid = [null, undefined, 7, 'text', [], {}, { content: null }, { content: [null, 1] }]
    expect(loadedIn(invalid)).toEqual([])
    expect(loadedIn([])).toEqual([])
  })

  it('read nothing from incomplete blocks', () => {
    const incomplete = [
      { type: 'tool_use' },
      { type: 'tool_use', name: 7 },
      { type: 'tool_use', name: '' },
      { type: 'tool_reference' },
      { type: 'tool_definition' },
      { type: 'tool_search_output' },
      { type: 'tool_search_output', tools: 'git_log' },
      { type: 'tool_search_output', tools: [null, 7, {}, { function: null }] },
      { tool_calls: [{ function: null }, { function: { name: 'x' } }] },
      { functionCall: null },
      { type: 'tool_result', tool_use_id: 'unknown', content: JSON.stringify(searchResult) },
    ]
    expect(loadedIn(incomplete)).toEqual([])
  })

  it('accept a history with circular objects', () => {
    const message: { content: unknown[] } = { content: [] }
    message.content.push(message, { type: 'tool_use', id: '1', name: 'git_log', input: {} })
    expect(loadedIn([message])).toEqual(['git_log'])
  })
})
