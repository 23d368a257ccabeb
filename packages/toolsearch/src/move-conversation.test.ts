import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { moveConversation, type ProviderName } from './move-conversation.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

/** A conversation with Claude that has everything in it. */
const claude = [
  { role: 'user', content: [{ type: 'text', text: 'What is on it?' }, image] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'x' },
      { type: 'text', text: 'I look.' },
      { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'zoom' } },
      {
        type: 'tool_search_tool_result',
        tool_use_id: 's',
        content: {
          type: 'tool_search_tool_search_result',
          tool_references: [{ type: 'tool_reference', tool_name: 'zoom' }],
        },
      },
      { type: 'tool_use', id: 'a', name: 'zoom', input: { factor: 2 } },
      { type: 'tool_use', id: 'b', name: 'zoom', input: { factor: 3 } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'b', content: 'Too much.', is_error: true },
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'Here.' }, image] },
      { type: 'text', text: 'Be quick.' },
    ],
  },
  { role: 'assistant', content: 'A zebra.' },
]

const found = '{"query":"zoom","loaded":["zoom"]}'

describe('moveConversation', () => {
  it('moves a conversation from Claude to Gemini', () => {
    const { messages, lost } = moveConversation(claude, { from: 'anthropic', to: 'gemini' })
    const inlineData = { mimeType: 'image/png', data: 'AAAA' }
    const thoughtSignature = 'skip_thought_signature_validator'
    expect(messages).toEqual([
      { role: 'user', parts: [{ text: 'What is on it?' }, { inlineData }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          {
            functionCall: { id: 's', name: 'tool_search', args: { query: 'zoom' } },
            thoughtSignature,
          },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 's', name: 'tool_search', response: { output: found } } },
        ],
      },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'zoom', args: { factor: 2 } }, thoughtSignature },
          { functionCall: { id: 'b', name: 'zoom', args: { factor: 3 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'b', name: 'zoom', response: { error: 'Too much.' } } },
          {
            functionResponse: {
              id: 'a',
              name: 'zoom',
              response: { output: 'Here.' },
              parts: [{ inlineData }],
            },
          },
        ],
      },
      { role: 'user', parts: [{ text: 'Be quick.' }] },
      { role: 'model', parts: [{ text: 'A zebra.' }] },
    ])
    expect(lost).toEqual([{ kind: 'thinking', at: 1, reason: expect.any(String) }])
  })

  it('moves a conversation from Claude to OpenAI', () => {
    const { messages, lost } = moveConversation(claude, { from: 'anthropic', to: 'openai' })
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }
    const call = (call_id: string, name: string, input: object) => ({
      type: 'function_call',
      call_id,
      name,
      arguments: JSON.stringify(input),
    })
    const output = (call_id: string, value: unknown) => ({
      type: 'function_call_output',
      call_id,
      output: value,
    })
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'What is on it?' }, picture] },
      { role: 'assistant', content: 'I look.' },
      call('s', 'tool_search', { query: 'zoom' }),
      output('s', found),
      call('a', 'zoom', { factor: 2 }),
      call('b', 'zoom', { factor: 3 }),
      output('b', 'Too much.'),
      output('a', [{ type: 'input_text', text: 'Here.' }, picture]),
      { role: 'user', content: 'Be quick.' },
      { role: 'assistant', content: 'A zebra.' },
    ])
    expect(lost.map(({ kind, at }) => [kind, at])).toEqual([
      ['thinking', 1],
      ['error-flag', 2],
    ])
  })

  it('moves a conversation from Claude to Chat Completions, images of results into a user message', () => {
    const { messages } = moveConversation(claude, { from: 'anthropic', to: 'openai-compatible' })
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    expect(messages.slice(4)).toEqual([
      { role: 'tool', tool_call_id: 'b', content: 'Too much.' },
      { role: 'tool', tool_call_id: 'a', content: 'Here.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Result of zoom:' },
          picture,
          { type: 'text', text: 'Be quick.' },
        ],
      },
      { role: 'assistant', content: 'A zebra.' },
    ])
  })

  it('keeps the definitions that a search of OpenAI found', () => {
    const parameters = { type: 'object', properties: {} }
    const zoom = { type: 'function', name: 'zoom', description: 'Zooms.', parameters }
    const items = [
      { role: 'user', content: 'Hello.' },
      {
        type: 'tool_search_call',
        call_id: 's',
        execution: 'client',
        arguments: { query: 'bigger' },
      },
      { type: 'tool_search_output', call_id: 's', execution: 'client', tools: [zoom] },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'select 1' },
      { type: 'custom_tool_call_output', call_id: 'c', output: '1' },
    ]
    const { messages, lost } = moveConversation(items, { from: 'openai', to: 'anthropic' })
    const loaded = [{ name: 'zoom', description: 'Zooms.', inputSchema: parameters }]
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 's', name: 'tool_search', input: { query: 'bigger' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 's',
            content: [{ type: 'text', text: JSON.stringify({ query: 'bigger', loaded }) }],
          },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c', name: 'sql', input: { input: 'select 1' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: '1' }] },
        ],
      },
    ])
    expect(lost.map(({ kind }) => kind)).toEqual(['thinking'])
  })

  it('moves a conversation from Claude to the AI SDK, with the types of the SDK', () => {
    const moved = moveConversation(claude, { from: 'anthropic', to: 'ai-sdk' })
    const messages: ModelMessage[] = moved.messages
    expect(messages.slice(3)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'zoom', input: { factor: 2 } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'zoom', input: { factor: 3 } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'zoom',
            output: { type: 'error-text', value: 'Too much.' },
          },
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'zoom',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'Here.' },
                { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
              ],
            },
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Be quick.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'A zebra.' }] },
    ])
  })

  it('reads images of the AI SDK in every form', () => {
    const bytes = new Uint8Array([0, 0, 0])
    const content = [
      { type: 'image', image: bytes },
      { type: 'image', image: new URL('https://example.com/a.png') },
      { type: 'file', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
      { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: {} } },
    ]
    const messages = [{ role: 'user', content }]
    const moved = moveConversation(messages, { from: 'ai-sdk', to: 'anthropic' })
    const url = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    expect(moved.messages[0]!.content).toEqual([image, url, image, image])
    expect(moved.lost.map(({ kind }) => kind)).toEqual(['file'])
  })

  it('returns the instructions at the start without the announcement of hidden tools', () => {
    const system = 'Be kind.\n\n<tools_by_search>\nTools: zoom\n</tools_by_search>'
    const chat = [
      { role: 'system', content: system },
      { role: 'user', content: 'Hello.' },
      { role: 'developer', content: 'Answer in verse.' },
    ]
    for (const to of ['anthropic', 'gemini', 'openai'] as const) {
      const moved = moveConversation(chat, { from: 'openai-compatible', to })
      expect(moved.system).toBe('Be kind.')
      expect(JSON.stringify(moved.messages)).toContain('Answer in verse.')
      expect(moved.lost.map(({ kind }) => kind)).toEqual(to === 'openai' ? [] : ['system-role'])
    }
  })

  it('makes ids unique and valid, and pairs calls of Gemini by name and order', () => {
    const call = { functionCall: { name: 'zoom', args: {} } }
    const response = (output: string) => ({
      functionResponse: { name: 'zoom', response: { output } },
    })
    const contents = [
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [call, call] },
      { role: 'user', parts: [response('one'), response('two')] },
    ]
    const { messages } = moveConversation(contents, { from: 'gemini', to: 'openai' })
    expect(messages.slice(1)).toMatchObject([
      { type: 'function_call', call_id: 'call_1_0' },
      { type: 'function_call', call_id: 'call_1_1' },
      { type: 'function_call_output', call_id: 'call_1_0', output: 'one' },
      { type: 'function_call_output', call_id: 'call_1_1', output: 'two' },
    ])
    const chatCall = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'functions.zoom:0', function: { name: 'zoom', arguments: '{}' } }],
    }
    const result = { role: 'tool', tool_call_id: 'functions.zoom:0', content: 'x' }
    const repeated = [chatCall, result, chatCall, result]
    const moved = moveConversation(repeated, { from: 'openai-compatible', to: 'openai' })
    expect(moved.messages.map((item) => item.call_id)).toEqual([
      ...['functions_zoom_0', 'functions_zoom_0'],
      ...['functions_zoom_0_2', 'functions_zoom_0_2'],
    ])
  })

  it('uses the replacement of a name that the new provider rejects', () => {
    const contents = [{ role: 'model', parts: [{ functionCall: { name: 'a.b:c', args: {} } }] }]
    const { messages } = moveConversation(contents, { from: 'gemini', to: 'openai' })
    expect(messages[0]!.name).toMatch(/^a_b_c_[0-9a-z]{8}$/)
  })

  it('returns the same messages if the provider stays', () => {
    const { messages, lost } = moveConversation(claude, { from: 'anthropic', to: 'anthropic' })
    expect(messages).toEqual(claude)
    expect(lost).toEqual([])
  })

  it('reports what only one provider knows', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'w', name: 'web_search', input: {} },
          { type: 'compaction', content: 'So far: nothing.' },
        ],
      },
      { role: 'system', content: [{ type: 'tool_removal', tool: { name: 'zoom' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'gone', content: 'x' }] },
    ]
    const moved = moveConversation(messages, { from: 'anthropic', to: 'openai-compatible' })
    expect(moved.messages).toEqual([{ role: 'assistant', content: 'So far: nothing.' }])
    expect(moved.lost.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
      'native 0',
      'compaction 0',
      'tool-removal 1',
      'result 2',
    ])
  })

  it('reports the summaries in messages of the AI SDK', () => {
    const anthropic = { type: 'compaction' }
    const content = [
      { type: 'custom', kind: 'openai.compaction' },
      { type: 'text', text: 'So far: nothing.', providerOptions: { anthropic } },
    ]
    const moved = moveConversation([{ role: 'assistant', content }], {
      from: 'ai-sdk',
      to: 'openai-compatible',
    })
    expect(moved.messages).toEqual([{ role: 'assistant', content: 'So far: nothing.' }])
    expect(moved.lost.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
      'compaction 0',
      'compaction 0',
    ])
  })

  it.each<[object, string]>([
    [{ from: 'anthropic' }, 'to is undefined; use "ai-sdk"'],
    [{ from: 'claude', to: 'gemini' }, 'from is "claude"; use "ai-sdk"'],
    [{ from: 'anthropic', to: 'gemini', serachTool: 'x' }, 'Did you mean "searchTool"?'],
  ])('rejects the options %j', (options, message) => {
    expect(() => moveConversation([], options as never)).toThrow(message)
  })

  it.each<ProviderName>(['anthropic', 'gemini', 'openai', 'openai-compatible'])(
    'never throws because of what a history from %s contains',
    (from) => {
      const odd = [null, {}, { role: 'user' }, { role: 'assistant', content: 5 }, { parts: [{}] }]
      const calls = { role: 'assistant', tool_calls: [null, {}, { function: 5 }] }
      for (const to of ['anthropic', 'gemini', 'openai', 'openai-compatible'] as const) {
        expect(() => moveConversation([...odd, calls] as never, { from, to })).not.toThrow()
      }
      expect(() => moveConversation('x' as never, { from, to: 'gemini' })).toThrow('use an array')
    },
  )
})
