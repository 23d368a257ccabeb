import { describe, expect, it } from 'vitest'
import { loadedIn, searchResult } from '../../message-shapes.fixtures.ts'

describe('read: model messages', () => {
  it.each([
    ['JSON', { type: 'json', value: searchResult }],
    ['text', { type: 'text', value: JSON.stringify(searchResult) }],
    ['content', { type: 'content', value: [{ type: 'text', text: JSON.stringify(searchResult) }] }],
  ])('reads the output of a search in the form of %s', (_, output) => {
    const messages = [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'text', text: 'What changed?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
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
    expect(loadedIn(messages)).toEqual(['shell', 'git_log', 'git_diff'])
  })
})

describe('read: UI messages', () => {
  const part = (type: string, fields: object) => ({ type, toolCallId: type, input: {}, ...fields })
  const done = { state: 'output-available' }

  it.each([
    ['data', searchResult],
    ['text', JSON.stringify(searchResult)],
  ])('reads calls, and the output of a search in the form of %s', (_, output) => {
    const messages = [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'What changed?' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          part('tool-tool_search', { ...done, output }),
          { type: 'text', text: 'Looking.', state: 'done' },
          part('tool-shell', { ...done, output: { tools: ['rm'] } }),
          part('dynamic-tool', { toolName: 'mcp', state: 'output-error', errorText: 'no' }),
        ],
      },
    ]
    expect(loadedIn(messages)).toEqual(['git_log', 'git_diff', 'shell', 'mcp'])
  })
})

describe('read: provider options', () => {
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
    expect(loadedIn(messages)).toEqual(names)
  })

  it('reads tools that were added mid-conversation and not removed', () => {
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
    expect(loadedIn(messages)).toEqual(['git_diff', 'git_blame'])
  })

  it('reads additional tools of a result', () => {
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
    expect(loadedIn(messages)).toEqual(['git_log'])
  })
})
