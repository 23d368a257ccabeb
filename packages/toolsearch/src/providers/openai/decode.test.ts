import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'

const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'a',
  name: 'find',
  namespace: 'mail',
  arguments: '{"x":1}',
  status: 'completed',
}

describe('decode', () => {
  it('drops a call that was truncated before its arguments', () => {
    const call = { type: 'function_call', call_id: '1', name: 'a', arguments: '' }
    expect(decode({ output: [{ ...call, status: 'incomplete' }] })).toMatchObject({
      messages: [],
      calls: [],
    })
    expect(decode({ output: [{ ...call, status: 'completed' }] }).calls).toHaveLength(1)
  })

  it('keeps items unchanged, with ids, namespaces and reasoning', () => {
    const output = [{ type: 'reasoning', id: 'rs_1', summary: [] }, call]
    const { messages } = decode({ output })
    expect(messages[0]).toBe(output[0])
    expect(messages[1]).toBe(call)
  })

  // litellm #13420, and fields that the client's parser adds
  it('drops only fields that requests must not have', () => {
    const text = { type: 'output_text', text: '{}', annotations: [] }
    const message = { type: 'message', id: 'msg_1', role: 'assistant' }
    const { messages } = decode({
      output: [
        { ...call, parsed_arguments: { x: 1 }, created_by: 'me' },
        { ...message, content: [{ ...text, parsed: {} }], status: 'completed' },
        { type: 'reasoning', id: 'rs_1', summary: [], status: null },
      ],
    })
    expect(messages).toEqual([
      call,
      { ...message, content: [text], status: 'completed' },
      { type: 'reasoning', id: 'rs_1', summary: [] },
    ])
  })

  it('treats a search without call_id as hosted', () => {
    const hosted = { call_id: null, execution: 'server', status: 'completed' }
    const tools = [
      { type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'lookup' }] },
      { type: 'function', name: 'mail' },
    ]
    const { calls, found } = decode({
      output: [
        { type: 'tool_search_call', ...hosted, arguments: { paths: ['crm', 'mail'] } },
        { type: 'tool_search_output', ...hosted, tools },
      ],
    })
    expect(calls).toEqual([])
    expect(found).toEqual(['lookup', 'mail'])
  })

  it('keeps arguments with invalid JSON as a string', () => {
    const { calls } = decode({ output: [{ ...call, arguments: '{"x"' }] })
    expect(calls).toMatchObject([{ id: 'a', name: 'find', arguments: '{"x"' }])
  })

  it('accepts an empty reply', () => {
    expect(decode({ output: [] })).toEqual({ messages: [], calls: [], found: [] })
  })
})
