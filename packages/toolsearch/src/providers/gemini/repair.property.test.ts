import fc from 'fast-check'
import { gemini as geminiService } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../../testing/deep.ts'
import { repairedMessages } from '../repaired-messages.fixtures.ts'
import { type GeminiContent, read } from './read.ts'
import { repair as repairEntries } from './repair.ts'

const repair = (history: readonly GeminiContent[]) =>
  repairedMessages(history, read, (entries) => repairEntries(entries))
const user = (...parts: object[]) => ({ role: 'user', parts })
const model = (...parts: object[]) => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const call = (name: string, id?: string) => ({
  functionCall: { ...(id && { id }), name, args: {} },
})
const response = (name: string, id?: string, output = 'done') => ({
  functionResponse: { ...(id && { id }), name, response: { output } },
})
const none = (name: string, id?: string) => ({
  functionResponse: {
    ...(id && { id }),
    name,
    response: { error: 'No result was recorded.' },
  },
})
const hello = user(text('Hello'))

const problemWith = (contents: readonly GeminiContent[]) =>
  geminiService().check({ contents }, { 'x-goog-api-key': 'key' })

describe('repair', () => {
  const repairs: [string, GeminiContent[], GeminiContent[], string[]][] = [
    [
      'a call without a response',
      [hello, model(call('a', '1'), call('b')), user(response('b')), hello],
      [hello, model(call('a', '1'), call('b')), user(none('a', '1'), response('b')), hello],
      ['call-answered'],
    ],
    [
      'calls at the end',
      [hello, model(call('a'))],
      [hello, model(call('a')), user(none('a'))],
      ['call-answered'],
    ],
    [
      'a response without a call',
      [hello, model(text('x')), user(response('a'), text('y'))],
      [hello, model(text('x')), user(text('y'))],
      ['result-dropped'],
    ],
    [
      'two responses to one call',
      [hello, model(call('a')), user(response('a'), response('a', undefined, 'again'))],
      [hello, model(call('a')), user(response('a'))],
      ['result-dropped'],
    ],
    [
      'a late response',
      [hello, model(call('a')), user(text('wait')), user(response('a'), text('there'))],
      [hello, model(call('a')), user(response('a')), user(text('wait')), user(text('there'))],
      ['result-moved'],
    ],
    [
      'a response after later calls that matches by id',
      [hello, model(call('a', '1')), model(call('a', '2')), user(response('a', '1'))],
      [
        hello,
        model(call('a', '1')),
        user(response('a', '1')),
        model(call('a', '2')),
        user(none('a', '2')),
      ],
      ['result-moved', 'call-answered'],
    ],
    [
      'a response after later calls that may belong to them',
      [hello, model(call('a')), model(call('a')), user(response('a'))],
      [hello, model(call('a')), user(none('a')), model(call('a')), user(response('a'))],
      ['call-answered'],
    ],
    [
      'a reused id',
      [hello, model(call('a', '1')), hello, model(call('a', '1')), user(response('a', '1'))],
      [
        hello,
        model(call('a', '1')),
        user(none('a', '1')),
        hello,
        model(call('a', '1')),
        user(response('a', '1')),
      ],
      ['call-answered'],
    ],
    [
      // https://github.com/vellum-ai/vellum-assistant/pull/39495
      'a response next to a text',
      [hello, model(call('a')), user(text('before'), response('a'))],
      [hello, model(call('a')), user(response('a')), user(text('before'))],
      ['result-moved'],
    ],
    [
      'a response with the name of the tool inside call_tool',
      [hello, model(call('call_tool', '1')), user(response('a', '1'))],
      [hello, model(call('call_tool', '1')), user(response('call_tool', '1'))],
      ['result-moved'],
    ],
    [
      'no user content at the start',
      [model(call('a')), user(response('a'))],
      [
        user(text('Earlier parts of this conversation were omitted.')),
        model(call('a')),
        user(response('a')),
      ],
      ['start-added'],
    ],
    [
      'nothing but a response whose call is gone',
      [user(response('a'))],
      [user(text('Earlier parts of this conversation were omitted.'))],
      ['result-dropped', 'start-added'],
    ],
    [
      'calls directly after another model content',
      [hello, model(text('x')), model(call('a')), user(response('a'))],
      [hello, model(text('x')), user(text('Continue.')), model(call('a')), user(response('a'))],
      ['start-added'],
    ],
    [
      'empty parts and contents',
      [hello, user(), model(text(''), text('x'), {}), { role: 'user' }, user(text(''))],
      [hello, model(text('x'))],
      ['empty-dropped', 'empty-dropped', 'empty-dropped', 'empty-dropped'],
    ],
    [
      'an empty content between a call and its response',
      [hello, model(call('a')), user(), user(response('a'))],
      [hello, model(call('a')), user(response('a'))],
      ['empty-dropped'],
    ],
    [
      'a call by the user or a response by the model',
      [user(text('x'), call('a')), model(text('y'), response('a')), user(response('a'))],
      [user(text('x')), model(text('y'))],
      ['empty-dropped', 'empty-dropped', 'result-dropped'],
    ],
    [
      'a call without a name',
      [hello, model({ functionCall: {} }, text('x')), user({ functionResponse: {} }, text('y'))],
      [hello, model(text('x')), user(text('y'))],
      ['empty-dropped', 'empty-dropped'],
    ],
  ]

  it.each(repairs)('repairs a history with %s', (_, broken, fixed, kinds) => {
    const repaired = repair(broken)
    expect(repaired.messages).toEqual(fixed)
    expect(repaired.repairs.map(({ kind }) => kind)).toEqual(kinds)
    expect(repair(repaired.messages)).toEqual({ messages: fixed, repairs: [] })
    expect(problemWith(fixed)).toBeUndefined()
  })

  it.each<[string, GeminiContent[]]>([
    ['no contents', []],
    ['several contents of one role', [hello, hello, model(text('x')), model(text('y')), hello]],
    ['no roles', [{ parts: [text('x')] }, model(call('a')), { parts: [response('a')] }]],
    [
      'responses in a different order',
      [hello, model(call('a'), call('b')), user(response('b'), response('a'))],
    ],
    [
      'responses without the ids of their calls',
      [hello, model(call('a', '1')), user(response('a'))],
    ],
    ['a signature alone', [hello, model({ thoughtSignature: 'c2ln' })]],
  ])('returns the same array for a history with %s', (_, messages) => {
    const repaired = repair(messages)
    expect(repaired.repairs).toEqual([])
    expect(repaired.messages).toBe(messages)
  })

  it('reports the index of each repair in the original history', () => {
    const { repairs } = repair([
      hello,
      user(),
      model(call('a', '1')),
      user(text('x')),
      user(response('b'), response('a', '1')),
    ])
    expect(repairs).toEqual([
      { kind: 'empty-dropped', about: 'user', at: 1 },
      { kind: 'result-dropped', about: 'b', at: 4 },
      { kind: 'result-moved', about: '1', at: 4 },
    ])
  })

  it('returns the original index of each content', () => {
    const { messages, indexes } = repair([
      model(call('a', '1')),
      user(),
      model(text('x')),
      user(response('b'), text('y')),
    ])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model', 'user'])
    expect(indexes).toEqual([0, 0, 0, 2, 3])
    expect(repair([user()]).indexes).toEqual([0])
  })

  it('repairs a history that contains the same object twice', () => {
    const called = model(call('a'))
    const answered = user(response('a'))
    const { messages } = repair([hello, called, answered, answered, called, answered])
    expect(messages).toEqual([hello, called, answered, called, answered])
  })

  it('makes any history acceptable, and a second repair changes nothing', async () => {
    const names = fc.constantFrom('a', 'b')
    const ids = fc.constantFrom(undefined, '1', '2')
    const part = fc.oneof(
      fc.constantFrom<object>(text('x'), text(''), {}, { text: '', thoughtSignature: 'c2ln' }),
      fc.tuple(names, ids).map(([name, id]) => call(name, id)),
      fc.tuple(names, ids).map(([name, id]) => response(name, id)),
    )
    const content = fc.record({
      role: fc.constantFrom('user', 'model'),
      parts: fc.array(part, { maxLength: 4 }),
    })
    await checkProperty(
      fc.property(fc.array(content, { maxLength: 8 }), (contents) => {
        const { messages, repairs } = repair(contents)
        if (repairs.length === 0) expect(messages).toBe(contents)
        expect(repair(messages)).toEqual({ messages, repairs: [] })
        if (messages.length > 0) expect(problemWith(messages)).toBeUndefined()
      }),
    )
  })
})
