import fc from 'fast-check'
import { gemini as geminiService } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import type { GeminiContent } from './parts.ts'
import { repair } from './repair.ts'

const user = (...parts: object[]) => ({ role: 'user', parts })
const said = (...parts: object[]) => ({ role: 'model', parts })
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

describe('a history for Gemini', () => {
  const repairs: [string, GeminiContent[], GeminiContent[], string[]][] = [
    [
      'a call without a response',
      [hello, said(call('a', '1'), call('b')), user(response('b')), hello],
      [hello, said(call('a', '1'), call('b')), user(none('a', '1'), response('b')), hello],
      ['call-answered'],
    ],
    [
      'calls at its end',
      [hello, said(call('a'))],
      [hello, said(call('a')), user(none('a'))],
      ['call-answered'],
    ],
    [
      'a response without a call',
      [hello, said(text('x')), user(response('a'), text('y'))],
      [hello, said(text('x')), user(text('y'))],
      ['result-dropped'],
    ],
    [
      'two responses to one call',
      [hello, said(call('a')), user(response('a'), response('a', undefined, 'again'))],
      [hello, said(call('a')), user(response('a'))],
      ['result-dropped'],
    ],
    [
      'a response that comes late',
      [hello, said(call('a')), user(text('wait')), user(response('a'), text('there'))],
      [hello, said(call('a')), user(response('a')), user(text('wait')), user(text('there'))],
      ['result-moved'],
    ],
    [
      'a response that comes after other calls, told by its id',
      [hello, said(call('a', '1')), said(call('a', '2')), user(response('a', '1'))],
      [
        hello,
        said(call('a', '1')),
        user(response('a', '1')),
        said(call('a', '2')),
        user(none('a', '2')),
      ],
      ['result-moved', 'call-answered'],
    ],
    [
      'a response that comes after other calls and may be theirs',
      [hello, said(call('a')), said(call('a')), user(response('a'))],
      [hello, said(call('a')), user(none('a')), said(call('a')), user(response('a'))],
      ['call-answered'],
    ],
    [
      'an id that is used again',
      [hello, said(call('a', '1')), hello, said(call('a', '1')), user(response('a', '1'))],
      [
        hello,
        said(call('a', '1')),
        user(none('a', '1')),
        hello,
        said(call('a', '1')),
        user(response('a', '1')),
      ],
      ['call-answered'],
    ],
    [
      // https://github.com/vellum-ai/vellum-assistant/pull/39495
      'a response beside a text',
      [hello, said(call('a')), user(text('before'), response('a'))],
      [hello, said(call('a')), user(response('a')), user(text('before'))],
      ['result-moved'],
    ],
    [
      'a response that bears the name of the tool inside',
      [hello, said(call('call_tool', '1')), user(response('a', '1'))],
      [hello, said(call('call_tool', '1')), user(response('call_tool', '1'))],
      ['result-moved'],
    ],
    [
      'no user at its beginning',
      [said(call('a')), user(response('a'))],
      [
        user(text('The conversation before this was left out.')),
        said(call('a')),
        user(response('a')),
      ],
      ['start-added'],
    ],
    [
      'calls after what the model said',
      [hello, said(text('x')), said(call('a')), user(response('a'))],
      [hello, said(text('x')), user(text('Go on.')), said(call('a')), user(response('a'))],
      ['start-added'],
    ],
    [
      'empty parts and contents',
      [hello, user(), said(text(''), text('x'), {}), { role: 'user' }, user(text(''))],
      [hello, said(text('x'))],
      ['empty-dropped', 'empty-dropped', 'empty-dropped', 'empty-dropped'],
    ],
    [
      'an empty content between a call and its response',
      [hello, said(call('a')), user(), user(response('a'))],
      [hello, said(call('a')), user(response('a'))],
      ['empty-dropped', 'result-moved'],
    ],
    [
      'a call of the user or a response of the model',
      [user(text('x'), call('a')), said(text('y'), response('a')), user(response('a'))],
      [user(text('x')), said(text('y'))],
      ['empty-dropped', 'empty-dropped', 'result-dropped'],
    ],
    [
      'a call without a name',
      [hello, said({ functionCall: {} }, text('x')), user({ functionResponse: {} }, text('y'))],
      [hello, said(text('x')), user(text('y'))],
      ['empty-dropped', 'empty-dropped'],
    ],
  ]

  it.each(repairs)('is repaired if it has %s', (_, broken, whole, kinds) => {
    const repaired = repair(broken)
    expect(repaired.messages).toEqual(whole)
    expect(repaired.repairs.map(({ kind }) => kind)).toEqual(kinds)
    expect(repair(repaired.messages)).toEqual({ messages: whole, repairs: [] })
    expect(problemWith(whole)).toBeUndefined()
  })

  it.each<[string, GeminiContent[]]>([
    ['nothing', []],
    ['several contents of one role', [hello, hello, said(text('x')), said(text('y')), hello]],
    ['no roles', [{ parts: [text('x')] }, said(call('a')), { parts: [response('a')] }]],
    [
      'responses in another order',
      [hello, said(call('a'), call('b')), user(response('b'), response('a'))],
    ],
    [
      'responses without the ids of their calls',
      [hello, said(call('a', '1')), user(response('a'))],
    ],
    ['a signature alone', [hello, said({ thoughtSignature: 'c2ln' })]],
  ])('stays the same array if it has %s', (_, messages) => {
    const repaired = repair(messages)
    expect(repaired.repairs).toEqual([])
    expect(repaired.messages).toBe(messages)
  })

  it('says where a repair was made, in the places of what was given', () => {
    const { repairs } = repair([
      hello,
      user(),
      said(call('a', '1')),
      user(text('x')),
      user(response('b'), response('a', '1')),
    ])
    expect(repairs).toEqual([
      { kind: 'empty-dropped', about: 'user', at: 1 },
      { kind: 'result-dropped', about: 'b', at: 4 },
      { kind: 'result-moved', about: '1', at: 4 },
    ])
  })

  it('is repaired where the same content stands in it twice', () => {
    const called = said(call('a'))
    const answered = user(response('a'))
    const { messages } = repair([hello, called, answered, answered, called, answered])
    expect(messages).toEqual([hello, called, answered, called, answered])
  })

  it('is accepted once repaired, whatever it held, and then stays as it is', () => {
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
    fc.assert(
      fc.property(fc.array(content, { maxLength: 8 }), (contents) => {
        const { messages, repairs } = repair(contents)
        if (repairs.length === 0) expect(messages).toBe(contents)
        expect(repair(messages)).toEqual({ messages, repairs: [] })
        if (messages.length > 0) expect(problemWith(messages)).toBeUndefined()
      }),
      { numRuns: 1_000 },
    )
  })
})
