import { describe, expect, it } from 'vitest'
import { readHistory } from './read-history.ts'

/** What `resultFormat` gives for a search that found one tool and had another already. */
const found = {
  query: 'git',
  loaded: [{ name: 'git_log', description: 'Shows history', arguments: '{}' }],
  already_loaded: ['git_diff'],
  always_available: ['shell'],
  missing: [{ name: 'git_blame', closest: ['git_log'] }],
  close: ['git_push'],
  not_ready: [{ server: 'hub', state: 'connecting' }],
  message: '1 tool loaded. You can call it now.',
}

describe('readHistory of Anthropic messages', () => {
  it('reads references in the result of a search', () => {
    const messages = [
      { role: 'user', content: 'What changed?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look for a tool.' },
          { type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: { query: 'git' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'tool_reference', tool_name: 'git_log' },
              {
                type: 'tool_reference',
                tool_name: 'git_diff',
                cache_control: { type: 'ephemeral' },
              },
            ],
          },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it.each([
    ['a text', JSON.stringify(found)],
    ['a block of text', [{ type: 'text', text: JSON.stringify(found) }]],
  ])('reads our own result as %s', (_, content) => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: { query: 'git' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it('reads what the service itself searched for', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          {
            type: 'server_tool_use',
            id: 'srvtoolu_1',
            name: 'tool_search_tool_bm25',
            input: { query: 'weather' },
            caller: { type: 'direct' },
          },
          {
            type: 'tool_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: {
              type: 'tool_search_tool_search_result',
              tool_references: [
                { type: 'tool_reference', tool_name: 'get_weather' },
                { type: 'tool_reference', tool_name: 'get_forecast' },
              ],
            },
          },
          { type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: { city: 'Köln' } },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['get_weather', 'get_forecast'])
  })

  it('reads nothing from a search of the service that failed', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: { type: 'tool_search_tool_result_error', error_code: 'unavailable' },
          },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual([])
  })

  it('reads tools that were added on the way, declared or defined there', () => {
    const messages = [
      {
        role: 'system',
        content: [
          { type: 'tool_addition', tool: { type: 'tool_reference', name: 'get_weather' } },
          {
            type: 'tool_addition',
            tool: {
              type: 'tool_definition',
              definition: {
                name: 'get_tide',
                description: 'Tide',
                input_schema: { type: 'object' },
              },
            },
          },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['get_weather', 'get_tide'])
  })

  it('does not read a tool that was removed on the way', () => {
    const messages = [
      {
        role: 'system',
        content: [
          { type: 'tool_addition', tool: { type: 'tool_reference', name: 'get_weather' } },
          { type: 'tool_addition', tool: { type: 'tool_reference', name: 'get_tide' } },
        ],
      },
      {
        role: 'system',
        content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'get_weather' } }],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['get_tide'])
  })

  it('reads a tool that was called without having been searched for', () => {
    const messages = [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'git_log', input: { branch: 'main' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a commit' }],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log'])
  })
})

describe('readHistory of OpenAI Chat Completions', () => {
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
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(found) },
      { role: 'tool', tool_call_id: 'call_2', content: 'done' },
      { role: 'assistant', content: 'There.' },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['shell', 'git_log', 'git_diff'])
  })

  it('reads a result whose content is in parts', () => {
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
        content: [{ type: 'text', text: JSON.stringify(found) }],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it('does not take the result of another tool for that of a search', () => {
    const messages = [
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'list_apps', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify({ tools: ['rm', 'dd'] }) },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['list_apps'])
  })
})

describe('readHistory of OpenAI Responses', () => {
  it('reads a search made as a function, whose items have an id and a call_id', () => {
    const items = [
      { role: 'user', content: [{ type: 'input_text', text: 'What changed?' }] },
      {
        type: 'function_call',
        id: 'fc_67ca09c5efe0819096d0511c92b8c890',
        call_id: 'call_1',
        name: 'tool_search',
        arguments: '{"query":"git"}',
        status: 'completed',
      },
      { type: 'function_call_output', call_id: 'call_1', output: JSON.stringify(found) },
      {
        type: 'function_call',
        id: 'fc_67ca09c5efe0819096d0511c92b8c891',
        call_id: 'call_2',
        name: 'git_log',
        arguments: '{}',
        status: 'completed',
      },
      { type: 'function_call_output', call_id: 'call_2', output: 'a commit' },
    ]
    expect(readHistory(items, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it('reads a search made as a function, whose items have only a call_id', () => {
    const items = [
      { type: 'function_call', call_id: 'call_1', name: 'tool_search', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ type: 'input_text', text: JSON.stringify(found) }],
      },
    ]
    expect(readHistory(items, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it('reads the definitions a native search put out', () => {
    const items = [
      {
        type: 'tool_search_call',
        id: 'tsc_1',
        call_id: 'call_1',
        execution: 'client',
        status: 'completed',
        arguments: { query: 'git' },
      },
      {
        type: 'tool_search_output',
        call_id: 'call_1',
        execution: 'client',
        status: 'completed',
        tools: [
          { type: 'function', name: 'git_log', parameters: { type: 'object' }, strict: false },
          { type: 'function', name: 'git_diff', parameters: { type: 'object' }, strict: false },
        ],
      },
    ]
    expect(readHistory(items, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it('reads the tools of a namespace, and not the namespace for a tool', () => {
    const items = [
      {
        type: 'tool_search_output',
        id: 'tso_1',
        call_id: null,
        execution: 'server',
        status: 'completed',
        tools: [
          {
            type: 'namespace',
            name: 'crm',
            description: 'Customers',
            tools: [
              { type: 'function', name: 'get_customer', parameters: { type: 'object' } },
              { type: 'function', name: 'list_orders', parameters: { type: 'object' } },
            ],
          },
        ],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_2',
        name: 'list_orders',
        namespace: 'crm',
        arguments: '{}',
      },
    ]
    expect(readHistory(items, 'tool_search')).toEqual(['get_customer', 'list_orders'])
  })

  it('reads tools that were added on the way', () => {
    const items = [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'function', name: 'git_log', parameters: { type: 'object' } }],
      },
    ]
    expect(readHistory(items, 'tool_search')).toEqual(['git_log'])
  })
})

describe('readHistory of Gemini contents', () => {
  it.each([
    ['as it is', found],
    ['under output', { output: found }],
    ['under output, as text', { output: JSON.stringify(found) }],
    ['under result', { result: found }],
  ])('reads the response of a search %s', (_, response) => {
    const contents = [
      { role: 'user', parts: [{ text: 'What changed?' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.', thoughtSignature: 'abc' },
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
    expect(readHistory(contents, 'tool_search')).toEqual(['git_log', 'git_diff', 'shell'])
  })

  it('does not take the response of another function for that of a search', () => {
    const contents = [
      { role: 'model', parts: [{ functionCall: { name: 'tool_search', args: { query: 'x' } } }] },
      { role: 'model', parts: [{ functionCall: { name: 'list_apps', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'list_apps', response: { tools: ['rm'] } } }],
      },
    ]
    expect(readHistory(contents, 'tool_search')).toEqual(['list_apps'])
  })
})

describe('readHistory of AI SDK messages', () => {
  it.each([
    ['JSON', { type: 'json', value: found }],
    ['text', { type: 'text', value: JSON.stringify(found) }],
    ['content', { type: 'content', value: [{ type: 'text', text: JSON.stringify(found) }] }],
  ])('reads the output of a search as %s', (_, output) => {
    const messages = [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'text', text: 'What changed?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          {
            type: 'tool-call',
            toolCallId: 'call_1',
            toolName: 'tool_search',
            input: { query: 'git' },
          },
          { type: 'tool-call', toolCallId: 'call_2', toolName: 'shell', input: { run: 'ls' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call_1', toolName: 'tool_search', output },
          {
            type: 'tool-result',
            toolCallId: 'call_2',
            toolName: 'shell',
            output: { type: 'text', value: 'done' },
          },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['shell', 'git_log', 'git_diff'])
  })
})

describe('readHistory of AI SDK messages for a page', () => {
  const part = (type: string, fields: object) => ({ type, toolCallId: type, input: {}, ...fields })
  const done = { state: 'output-available' }

  it.each([
    ['data', found],
    ['text', JSON.stringify(found)],
  ])('reads the output of a search as %s, and what was called', (_, output) => {
    const messages = [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'What changed?' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          part('tool-tool_search', { ...done, output }),
          { type: 'text', text: 'I look.', state: 'done' },
          part('tool-shell', { ...done, output: { tools: ['rm'] } }),
          part('dynamic-tool', { toolName: 'mcp', state: 'output-error', errorText: 'no' }),
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log', 'git_diff', 'shell', 'mcp'])
  })
})

describe('readHistory of AI SDK messages for a provider', () => {
  it.each([[['git_log']], [['git_log', 'git_diff']]])('reads references to %j', (names) => {
    const reference = (toolName: string) => ({
      type: 'custom',
      providerOptions: { anthropic: { type: 'tool-reference', toolName } },
    })
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: '1', toolName: 'tool_search', input: { query: 'git' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            toolName: 'tool_search',
            output: { type: 'content', value: names.map(reference) },
          },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(names)
  })

  it('reads tools that were added on the way, and not those that were removed', () => {
    const change = (...toolChanges: unknown[]) => ({
      role: 'system',
      content: '',
      providerOptions: { anthropic: { toolChanges } },
    })
    const messages = [
      change(
        { type: 'tool_addition', toolName: 'git_log' },
        { type: 'tool_addition', toolName: 'git_diff' },
        {
          type: 'tool_addition',
          tool: { type: 'function', name: 'git_blame', inputSchema: { type: 'object' } },
        },
      ),
      change({ type: 'tool_removal', toolName: 'git_log' }),
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_diff', 'git_blame'])
  })

  it('reads tools that came with a result', () => {
    const messages = [
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            toolName: 'other',
            output: { type: 'text', value: 'done' },
            providerOptions: {
              openai: { additionalTools: [{ type: 'function', name: 'git_log', parameters: {} }] },
            },
          },
        ],
      },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log'])
  })
})

describe('readHistory of anything', () => {
  it('names each tool once, in the order of its first appearance', () => {
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'b', input: {} }] },
      { content: [{ type: 'tool_use', id: '2', name: 'a', input: {} }] },
      { content: [{ type: 'tool_use', id: '3', name: 'b', input: {} }] },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['b', 'a'])
  })

  it.each([
    [
      'Anthropic',
      { content: [{ type: 'tool_use', id: '1', name: 'call_tool', input: { name: 'git_log' } }] },
    ],
    [
      'Chat Completions',
      {
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
  ])('takes a call through the bridge for one of the tool inside, in a history of %s', (_, one) => {
    expect(readHistory([one], 'tool_search')).toEqual(['git_log'])
  })

  it('reads a call of the bridge that names no tool as it stands', () => {
    const messages = [
      { parts: [{ functionCall: { name: 'call_tool', args: { number: 7 } } }] },
      { type: 'function_call', call_id: '1', name: 'call_tool', arguments: '{"name":' },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['call_tool'])
  })

  it('never names the search tool, whatever it is called', () => {
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'FindTools', input: { query: 'x' } }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: JSON.stringify(found) }] },
    ]
    expect(readHistory(messages, 'FindTools')).toEqual(['git_log', 'git_diff'])
  })

  it('does not read what a model passed to a tool', () => {
    const fake = { type: 'tool_use', id: '9', name: 'fake', input: {} }
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'note', input: { entry: fake } }] },
      { content: [{ type: 'tool-call', toolCallId: '2', toolName: 'note', input: [fake] }] },
      { parts: [{ functionCall: { name: 'note', args: { entry: fake } } }] },
      { type: 'tool_search_call', call_id: '3', arguments: { query: fake } },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['note'])
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
  ])('does not read what a tool gave back, in a history of %s', (_, messages) => {
    expect(readHistory(messages, 'tool_search')).toEqual(['read_log'])
  })

  it('reads a result in lines, but not its names that were not found', () => {
    const text = 'Loaded:\n- git_log\n\nAlready loaded:\n- git_diff\n\nNot found:\n- git_blame'
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: text }] },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log', 'git_diff'])
  })

  it('reads references that were sent as text', () => {
    const text = JSON.stringify([{ type: 'tool_reference', tool_name: 'git_log' }])
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: text }] },
    ]
    expect(readHistory(messages, 'tool_search')).toEqual(['git_log'])
  })

  it.each([null, undefined, 7, true, [], [null], {}, '', 'null', '7', '[1]', 'No match.'])(
    'reads nothing from a search that gave back %j',
    (content) => {
      const messages = [
        { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
        { content: [{ type: 'tool_result', tool_use_id: '1', content }] },
      ]
      expect(readHistory(messages, 'tool_search')).toEqual([])
    },
  )

  it('reads nothing from what is no history', () => {
    const nothing = [null, undefined, 7, 'text', [], {}, { content: null }, { content: [null, 1] }]
    expect(readHistory(nothing, 'tool_search')).toEqual([])
    expect(readHistory([], 'tool_search')).toEqual([])
  })

  it('reads nothing from blocks that lack what they should have', () => {
    const odd = [
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
      { type: 'tool_result', tool_use_id: 'unknown', content: JSON.stringify(found) },
    ]
    expect(readHistory(odd, 'tool_search')).toEqual([])
  })

  it('does not lose its way in a history that goes round in a circle', () => {
    const message: { content: unknown[] } = { content: [] }
    message.content.push(message, { type: 'tool_use', id: '1', name: 'git_log', input: {} })
    expect(readHistory([message], 'tool_search')).toEqual(['git_log'])
  })
})
