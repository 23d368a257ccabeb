import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'
import { decode } from './decode.ts'

type Fields = Record<string, unknown>

/** The decoded reply for these deltas. An interrupted stream has no final chunk. */
function collected(
  deltas: readonly Fields[],
  { isInterrupted = false, texts = 'pieces' as const } = {},
) {
  const collector = collect(texts)
  const returned = deltas.flatMap((delta) => [
    ...collector.add({ id: 'chatcmpl-1', choices: [{ index: 0, delta }] }),
  ])
  if (!isInterrupted) {
    const end = { delta: {}, finish_reason: 'tool_calls' }
    returned.push(...collector.add({ id: 'chatcmpl-1', choices: [{ index: 0, ...end }] }))
  }
  return { ...decode(collector.reply()), returned }
}

const piece = (fields: Fields) => ({ tool_calls: [fields] })
const a = { name: 'a', arguments: { x: 1 } }
const b = { name: 'b', arguments: { y: 2 } }

describe('collect', () => {
  it.each([
    [
      'pieces with an index',
      [
        piece({ index: 0, id: '1', type: 'function', function: { name: 'a', arguments: '' } }),
        piece({ index: 0, function: { arguments: '{"x"' } }),
        piece({ index: 0, function: { arguments: ':1}' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y":' } }),
        piece({ index: 1, function: { arguments: '2}' } }),
      ],
    ],
    [
      'alternating pieces of two calls',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x"' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y"' } }),
        piece({ index: 0, function: { arguments: ':1}' } }),
        piece({ index: 1, function: { arguments: ':2}' } }),
      ],
    ],
    [
      'complete calls in one chunk',
      [
        {
          tool_calls: [
            { index: 0, id: '1', function: { name: 'a', arguments: '{"x":1}' } },
            { index: 1, id: '2', function: { name: 'b', arguments: '{"y":2}' } },
          ],
        },
      ],
    ],
    [
      'calls that all have index 0',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x":1}' } }),
        piece({ index: 0, id: '2', function: { name: 'b', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'calls without index and id',
      [
        piece({ function: { name: 'a', arguments: '{"x":1}' } }),
        piece({ function: { name: 'b', arguments: '{"y"' } }),
        piece({ function: { arguments: ':2}' } }),
      ],
    ],
    [
      'pieces that repeat id and name',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x"' } }),
        piece({ index: 0, id: '1', function: { name: 'a', arguments: ':1}' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'pieces with different ids',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x"' } }),
        piece({ index: 0, id: '9', function: { arguments: ':1}' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'arguments as objects',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: { x: 1 } } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: { y: 2 } } }),
      ],
    ],
  ])('assembles %s', (_, deltas) => {
    const { calls, returned, messages } = collected(deltas)
    expect(calls).toMatchObject([a, b])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect(returned).toEqual(calls)
    expect(messages).toMatchObject([
      { tool_calls: calls.map(({ id }) => ({ id, type: 'function' })) },
    ])
  })

  it('returns a call as soon as the next one starts', () => {
    const collector = collect('pieces')
    const add = (delta: Fields) => collector.add({ choices: [{ delta }] })
    expect(add(piece({ index: 0, id: '1', function: { name: 'a', arguments: '{}' } }))).toEqual([])
    expect(
      add(piece({ index: 1, id: '2', function: { name: 'b', arguments: '{}' } })),
    ).toMatchObject([{ id: '1', name: 'a' }])
  })

  it('keeps the parts of an interrupted stream that can be sent back', () => {
    const { calls, messages } = collected(
      [
        { content: 'I will' },
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x":' } }),
        piece({ index: 1, id: '2', function: { arguments: '' } }),
      ],
      { isInterrupted: true },
    )
    expect(calls).toMatchObject([{ id: '1', name: 'a', arguments: '{"x":' }])
    expect(messages).toMatchObject([
      { content: 'I will', tool_calls: [{ id: '1', function: { arguments: '{}' } }] },
    ])
  })

  it('uses the complete message that some servers send at the end', () => {
    const collector = collect('pieces')
    collector.add({ choices: [{ delta: { content: 'Hel' } }] })
    collector.add({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] })
    expect(decode(collector.reply()).messages).toEqual([{ role: 'assistant', content: 'Hello.' }])
  })

  it('accepts chunks without a choice', () => {
    const collector = collect('pieces')
    expect(collector.add({ choices: [], usage: { total_tokens: 3 } })).toEqual([])
    expect(collector.add({ usage: {} })).toEqual([])
    expect(collector.add('[DONE]')).toEqual([])
    expect(decode(collector.reply()).messages).toEqual([])
  })
})

it('assembles a call to a custom tool', () => {
  const { add, reply } = collect('pieces')
  const chunk = (custom: object, rest: object = {}) =>
    add({ choices: [{ delta: { tool_calls: [{ index: 0, ...rest, custom }] } }] })
  chunk({ name: 'run_sql', input: '' }, { id: 'c', type: 'custom' })
  chunk({ input: 'SELECT ' })
  chunk({ input: '1' })
  expect(reply().choices[0]!.message).toMatchObject({
    tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run_sql', input: 'SELECT 1' } }],
  })
})
