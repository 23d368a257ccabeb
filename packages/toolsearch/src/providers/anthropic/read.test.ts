import { describe, expect, it } from 'vitest'
import { loadedIn, searchResult } from '../../message-shapes.fixtures.ts'

describe('read', () => {
  it('reads references in the result of a search', () => {
    const messages = [
      { role: 'user', content: 'What changed?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking for a tool.' },
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
    expect(loadedIn(messages)).toEqual(['git_log', 'git_diff'])
  })

  it.each([
    ['a string', JSON.stringify(searchResult)],
    ['a text block', [{ type: 'text', text: JSON.stringify(searchResult) }]],
  ])('reads the result of our own search if it is %s', (_, content) => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: { query: 'git' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ]
    expect(loadedIn(messages)).toEqual(['git_log', 'git_diff'])
  })

  it("reads the results of Anthropic's own search", () => {
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
    expect(loadedIn(messages)).toEqual(['get_weather', 'get_forecast'])
  })

  it('reads nothing from a failed search by Anthropic', () => {
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
    expect(loadedIn(messages)).toEqual([])
  })

  it('reads tools that were added mid-conversation, by reference or inline', () => {
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
    expect(loadedIn(messages)).toEqual(['get_weather', 'get_tide'])
  })

  it('ignores a tool that was removed mid-conversation', () => {
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
    expect(loadedIn(messages)).toEqual(['get_tide'])
  })

  it('reads a tool that was called without a search', () => {
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
    expect(loadedIn(messages)).toEqual(['git_log'])
  })
})
