import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'

const reply = (message: object) => ({ id: 'chatcmpl-1', choices: [{ message }] })
const call = (id: unknown, args: unknown, name = 'a') => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: args },
})

describe('decode', () => {
  it('keeps endpoint-specific fields', () => {
    const message = {
      role: 'assistant',
      content: 'Hello.',
      reasoning_content: 'Be kind.',
      reasoning_details: [{ type: 'reasoning.text', text: 'Be kind.', signature: 'x' }],
    }
    expect(decode(reply(message)).messages).toEqual([message])
  })

  it('omits empty fields', () => {
    const message = { role: 'assistant', content: 'Hello.', refusal: null, annotations: [] }
    const { messages } = decode(reply({ ...message, tool_calls: [] }))
    expect(messages).toEqual([{ role: 'assistant', content: 'Hello.' }])
  })

  it('omits an empty message', () => {
    expect(decode(reply({ role: 'assistant', content: null })).messages).toEqual([])
    expect(decode(reply({ content: '', reasoning_content: 'Hm.' })).messages).toEqual([])
    expect(decode({ choices: [] }).messages).toEqual([])
  })

  it('marks a call to a custom tool as foreign', () => {
    const custom = { id: 'c', type: 'custom', custom: { name: 'run', input: 'print(1)' } }
    const message = { role: 'assistant', content: null, tool_calls: [custom, call('1', '{}')] }
    const { messages, calls } = decode(reply(message))
    expect(messages).toEqual([message])
    expect(calls).toMatchObject([{ id: 'c', isForeign: true }, { id: '1' }])
  })

  it('drops a call that was truncated before its arguments', () => {
    const message = { tool_calls: [call('1', '{}'), call('2', '')] }
    const cut = { choices: [{ message, finish_reason: 'length' }] }
    expect(decode(cut).calls.map(({ id }) => id)).toEqual(['1'])
    expect(decode(cut).messages).toMatchObject([{ tool_calls: [{ id: '1' }] }])
    expect(decode(reply(message)).calls).toHaveLength(2)
  })

  it('generates stable ids that differ for each call', () => {
    const message = { tool_calls: [call('', '{}'), call(undefined, '{}'), call('x', '{}')] }
    const { calls, messages } = decode(reply(message))
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls[0]!.id).toMatch(/^[a-z0-9]{9}$/)
    expect(decode(reply(message)).calls).toEqual(calls)
    expect(messages).toMatchObject([{ tool_calls: calls.map(({ id }) => ({ id })) }])
    expect(decode({ ...reply(message), id: 'other' }).calls[0]!.id).not.toBe(calls[0]!.id)
  })

  it('generates a new id for the second call with the same id', () => {
    const { calls } = decode(reply({ tool_calls: [call('x', '{"a":1}'), call('x', '{"a":2}')] }))
    expect(calls[0]!.id).toBe('x')
    expect(calls[1]!.id).not.toBe('x')
  })

  it.each([
    ['an object', { x: 1 }, { x: 1 }, '{"x":1}'],
    ['a string', '{"x":1}', { x: 1 }, '{"x":1}'],
    ['nothing', undefined, {}, '{}'],
    ['an empty string', '', {}, '{}'],
    ['invalid JSON', '{"x":', '{"x":', '{}'],
  ])('reads arguments that are %s', (_, args, parsed, sent) => {
    const { calls, messages } = decode(reply({ tool_calls: [call('1', args)] }))
    expect(calls[0]!.arguments).toEqual(parsed)
    expect(messages).toMatchObject([{ tool_calls: [{ function: { arguments: sent } }] }])
  })

  it('replaces invalid characters of a name in the message', () => {
    const { calls, messages } = decode(reply({ tool_calls: [call('1', '{}', 'a.b c')] }))
    expect(calls[0]!.name).toBe('a.b c')
    expect(messages).toMatchObject([{ tool_calls: [{ function: { name: 'a_b_c' } }] }])
  })

  it('omits a call without a name', () => {
    const message = { content: 'Hello.', tool_calls: [call('1', '{}', '')] }
    expect(decode(reply(message))).toMatchObject({
      calls: [],
      messages: [{ role: 'assistant', content: 'Hello.' }],
    })
  })

  it('keeps endpoint-specific fields of a call', () => {
    const signed = { ...call('1', '{}'), extra_content: { google: { thought_signature: 'x' } } }
    expect(decode(reply({ tool_calls: [signed] })).messages).toMatchObject([
      { tool_calls: [signed] },
    ])
  })
})
