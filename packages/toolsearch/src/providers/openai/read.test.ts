import { describe, expect, it } from 'vitest'
import { loadedIn, searchResult } from '../../message-shapes.fixtures.ts'

describe('read', () => {
  it('reads a search function call with id and call_id', () => {
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
      { type: 'function_call_output', call_id: 'call_1', output: JSON.stringify(searchResult) },
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
    expect(loadedIn(items)).toEqual(['git_log', 'git_diff'])
  })

  it('reads a search function call with only a call_id', () => {
    const items = [
      { type: 'function_call', call_id: 'call_1', name: 'tool_search', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ type: 'input_text', text: JSON.stringify(searchResult) }],
      },
    ]
    expect(loadedIn(items)).toEqual(['git_log', 'git_diff'])
  })

  it('reads the definitions in the output of a tool search', () => {
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
    expect(loadedIn(items)).toEqual(['git_log', 'git_diff'])
  })

  it('reads the tools of a namespace, but not the namespace itself', () => {
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
    expect(loadedIn(items)).toEqual(['get_customer', 'list_orders'])
  })

  it('reads additional tools', () => {
    const items = [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'function', name: 'git_log', parameters: { type: 'object' } }],
      },
    ]
    expect(loadedIn(items)).toEqual(['git_log'])
  })
})
