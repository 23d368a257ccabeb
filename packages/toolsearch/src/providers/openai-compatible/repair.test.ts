import { describe, expect, it } from 'vitest'
import { repairedMessages } from '../repaired-messages.fixtures.ts'
import type { ChatMessage } from './chat-message.ts'
import { read } from './read.ts'
import { repair as repairEntries } from './repair.ts'

const repair = (history: readonly ChatMessage[]) =>
  repairedMessages(history, read, (entries) => repairEntries(entries))
const user = { role: 'user', content: 'Hello.' }
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'a', arguments: `{"id":"${id}"}` },
  })),
})
const result = (id: string, content = `${id} is done.`) => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
const missing = (id: string) => result(id, 'No result was recorded.')

describe('repair', () => {
  it('keeps a call to a custom tool and its result', () => {
    const custom = { id: '1', type: 'custom', custom: { name: 'run', input: 'print(1)' } }
    const messages = [user, { role: 'assistant', content: null, tool_calls: [custom] }, result('1')]
    expect(repair(messages)).toEqual({ messages, repairs: [] })
  })

  it.each([
    [
      'a missing result',
      [user, calls('1', '2'), result('1')],
      [user, calls('1', '2'), result('1'), missing('2')],
    ],
    [
      'a result without a call',
      [user, result('1'), calls('2'), result('2')],
      [user, calls('2'), result('2')],
    ],
    [
      'results in a different order',
      [user, calls('1', '2'), result('2'), result('1')],
      [user, calls('1', '2'), result('1'), result('2')],
    ],
    [
      'a message between call and result',
      [user, calls('1'), user, result('1')],
      [user, calls('1'), result('1'), user],
    ],
    [
      'a duplicate result',
      [user, calls('1'), result('1'), result('1', 'Again.')],
      [user, calls('1'), result('1')],
    ],
    [
      'a duplicate call',
      [user, calls('1'), calls('1'), result('1')],
      [user, calls('1'), result('1')],
    ],
    ['a result before its call', [user, result('1'), calls('1')], [user, calls('1'), missing('1')]],
    ['an empty message', [user, { role: 'assistant', content: '' }, user], [user, user]],
    [
      'an empty list of calls',
      [user, { role: 'assistant', content: 'Hi.', tool_calls: [] }],
      [user, { role: 'assistant', content: 'Hi.' }],
    ],
    [
      'a result without content',
      [user, calls('1'), { role: 'tool', tool_call_id: '1', content: null }],
      [user, calls('1'), result('1', '""')],
    ],
  ])('fixes %s, and a second repair changes nothing', (_, before, after) => {
    const { messages, repairs } = repair(before)
    expect(messages).toEqual(after)
    expect(repairs).not.toEqual([])
    expect(repair(messages)).toEqual({ messages, repairs: [] })
    expect(repair(messages).messages).toBe(messages)
  })

  it('adds a user message after the instructions', () => {
    const { messages } = repair([{ role: 'system', content: 'Be kind.' }, calls('1'), result('1')])
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  it('keeps ids that restart with every reply', () => {
    const one = [user, calls('call_0'), result('call_0', 'One.')]
    const messages = [...one, calls('call_0'), result('call_0', 'Two.')]
    expect(repair(messages)).toEqual({ messages, repairs: [] })
  })

  it('reports the index of each change', () => {
    const messages = [user, { role: 'assistant', content: null }, calls('1', '2'), result('1')]
    expect(repair(messages).repairs).toEqual([
      { kind: 'empty-dropped', about: 'assistant', at: 1 },
      { kind: 'call-answered', about: '2', at: 2 },
    ])
  })

  it('returns the original index of each message', () => {
    const { messages, indexes, repairs } = repair([
      result('9'),
      { role: 'assistant', content: null },
      calls('1', '2'),
      user,
      result('2'),
    ])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
    expect(indexes).toEqual([2, 2, 2, 4, 3])
    expect(repairs).toContainEqual({ kind: 'start-added', about: 'user', at: 2 })
  })

  it('converts arguments that are an object to JSON', () => {
    const call = { id: '1', type: 'function', function: { name: 'a', arguments: { id: '1' } } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    expect(repair([user, message, result('1')]).messages).toEqual([user, calls('1'), result('1')])
  })
})
