import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'
import { decode } from './decode.ts'

type Fields = Record<string, unknown>

/** What comes of these deltas; a stream that is cut has no end. */
function collected(deltas: readonly Fields[], { isCut = false, texts = 'pieces' as const } = {}) {
  const collector = collect(texts)
  const told = deltas.flatMap((delta) => [
    ...collector.add({ id: 'chatcmpl-1', choices: [{ index: 0, delta }] }),
  ])
  if (!isCut) {
    const end = { delta: {}, finish_reason: 'tool_calls' }
    told.push(...collector.add({ id: 'chatcmpl-1', choices: [{ index: 0, ...end }] }))
  }
  return { ...decode(collector.reply()), told }
}

const piece = (fields: Fields) => ({ tool_calls: [fields] })
const a = { name: 'a', arguments: { x: 1 } }
const b = { name: 'b', arguments: { y: 2 } }

describe('collect', () => {
  it.each([
    [
      'pieces under an index',
      [
        piece({ index: 0, id: '1', type: 'function', function: { name: 'a', arguments: '' } }),
        piece({ index: 0, function: { arguments: '{"x"' } }),
        piece({ index: 0, function: { arguments: ':1}' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y":' } }),
        piece({ index: 1, function: { arguments: '2}' } }),
      ],
    ],
    [
      'pieces of two calls in turn',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x"' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y"' } }),
        piece({ index: 0, function: { arguments: ':1}' } }),
        piece({ index: 1, function: { arguments: ':2}' } }),
      ],
    ],
    [
      'whole calls in one chunk',
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
      'calls that all have the index 0',
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
      'the id and the name with every piece',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x"' } }),
        piece({ index: 0, id: '1', function: { name: 'a', arguments: ':1}' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'another id with every piece',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x"' } }),
        piece({ index: 0, id: '9', function: { arguments: ':1}' } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'arguments that are objects',
      [
        piece({ index: 0, id: '1', function: { name: 'a', arguments: { x: 1 } } }),
        piece({ index: 1, id: '2', function: { name: 'b', arguments: { y: 2 } } }),
      ],
    ],
  ])('adds up %s', (_, deltas) => {
    const { calls, told, messages } = collected(deltas)
    expect(calls).toMatchObject([a, b])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect(told).toEqual(calls)
    expect(messages).toMatchObject([
      { tool_calls: calls.map(({ id }) => ({ id, type: 'function' })) },
    ])
  })

  it('gives a call as soon as the next one begins', () => {
    const collector = collect('pieces')
    const add = (delta: Fields) => collector.add({ choices: [{ delta }] })
    expect(add(piece({ index: 0, id: '1', function: { name: 'a', arguments: '{}' } }))).toEqual([])
    expect(
      add(piece({ index: 1, id: '2', function: { name: 'b', arguments: '{}' } })),
    ).toMatchObject([{ id: '1', name: 'a' }])
  })

  it('keeps of a cut stream what can be sent back', () => {
    const { calls, messages } = collected(
      [
        { content: 'I will' },
        piece({ index: 0, id: '1', function: { name: 'a', arguments: '{"x":' } }),
        piece({ index: 1, id: '2', function: { arguments: '' } }),
      ],
      { isCut: true },
    )
    expect(calls).toEqual([{ id: '1', name: 'a', arguments: '{"x":' }])
    expect(messages).toMatchObject([
      { content: 'I will', tool_calls: [{ id: '1', function: { arguments: '{}' } }] },
    ])
  })

  it('takes the whole message that ends some streams in place of what came before', () => {
    const collector = collect('pieces')
    collector.add({ choices: [{ delta: { content: 'Hel' } }] })
    collector.add({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] })
    expect(decode(collector.reply()).messages).toEqual([{ role: 'assistant', content: 'Hello.' }])
  })

  it('does not mind chunks that hold no choice', () => {
    const collector = collect('pieces')
    expect(collector.add({ choices: [], usage: { total_tokens: 3 } })).toEqual([])
    expect(collector.add({ usage: {} })).toEqual([])
    expect(collector.add('[DONE]')).toEqual([])
    expect(decode(collector.reply()).messages).toEqual([])
  })
})
