import { describe, expect, it } from 'vitest'
import type { RepairContext } from '../provider.ts'
import { repair } from './repair.ts'

const context = (mode: string, ...names: string[]): RepairContext => ({
  mode,
  deferred: [],
  canSearch: true,
  isListed: () => false,
  hasOwnSearch: mode.startsWith('native'),
  isDeferred: (name) => names.includes(name),
  definition: (name) =>
    names.includes(name) ? { name, description: '', inputSchema: {} } : undefined,
})
const use = (id: string) => ({ type: 'tool_use', id, name: 'tool_search', input: {} })
const result = (id: string, ...content: object[]) => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content.length > 0 && { content }),
})
const refer = (tool_name: string) => ({ type: 'tool_reference', tool_name })
const user = (...content: object[]) => ({ role: 'user', content })
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const hello = { role: 'user', content: 'hello' }
const kinds = (messages: object[], mode = 'reference', ...names: string[]) =>
  repair(messages as never[], context(mode, ...names)).repairs.map(({ kind }) => kind)

describe('repair', () => {
  it('turns a reference that does not resolve into text, and leaves the others', () => {
    const messages = [hello, assistant(use('1')), user(result('1', refer('a'), refer('b')))]
    const repaired = repair(messages, context('reference', 'a'))
    expect(repaired.messages[2]).toEqual(
      user(result('1', refer('a'), { type: 'text', text: 'No longer available: b.' })),
    )
    expect(repaired.repairs).toEqual([{ kind: 'reference-to-text', about: 'b', at: 2 }])
  })

  it('turns every reference into text in a mode without them', () => {
    const messages = [hello, assistant(use('1')), user(result('1', refer('a')))]
    expect(repair(messages, context('bridge', 'a')).messages[2]).toEqual(
      user(result('1', { type: 'text', text: 'Found: a.' })),
    )
  })

  it('answers a call that has no result', () => {
    expect(kinds([hello, assistant(use('1'))])).toEqual(['call-answered'])
    expect(kinds([hello, assistant(use('1')), hello])).toEqual(['call-answered'])
    expect(kinds([hello, assistant(use('1')), assistant(use('2')), user(result('2'))])).toEqual([
      'call-answered',
    ])
  })

  // https://github.com/anthropics/claude-code/issues/23440
  it('drops a text of nothing but white space', () => {
    const blank = { type: 'text', text: '\n\n' }
    const messages = [hello, assistant(blank, use('1')), user(result('1', blank))]
    const repaired = repair(messages, context('reference'))
    expect(repaired.messages).toEqual([hello, assistant(use('1')), user(result('1'))])
    expect(kinds([hello, { role: 'assistant', content: ' ' }, hello])).toContain('empty-dropped')
  })

  it('drops thoughts that end a message, and no others', () => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    const said = { type: 'text', text: 'Well.' }
    const good = [hello, assistant(thought, said), hello]
    expect(repair(good, context('reference')).messages).toBe(good)
    const redacted = { type: 'redacted_thinking', data: 'x' }
    const cut = [hello, assistant(thought, said, thought, redacted), hello, assistant(thought)]
    expect(repair(cut, context('reference'))).toEqual({
      messages: [hello, assistant(thought, said), hello],
      repairs: [
        { kind: 'reasoning-dropped', about: 'thinking', at: 1 },
        { kind: 'reasoning-dropped', about: 'thinking', at: 3 },
        { kind: 'empty-dropped', about: 'assistant', at: 3 },
      ],
    })
  })

  it('mends ids and arguments that come from other models', () => {
    const call = { ...use('functions.search:0'), input: 'x' }
    const messages = [hello, assistant(call), user(result('functions.search:0'))]
    const mended = [hello, assistant(use('functions_search_0')), user(result('functions_search_0'))]
    expect(repair(messages, context('reference'))).toEqual({
      messages: mended,
      repairs: [{ kind: 'call-mended', about: 'functions.search:0', at: 1 }],
    })
  })

  it('drops a result that has no call, and what is empty then', () => {
    expect(kinds([hello, user(result('1'))])).toEqual(['empty-dropped', 'result-dropped'])
  })

  it('moves a result to its call', () => {
    const late = [
      hello,
      assistant(use('1')),
      hello,
      assistant({ type: 'text', text: 'x' }),
      user(result('1')),
    ]
    const { messages, repairs } = repair(late, context('reference'))
    expect(messages[2]).toEqual(user(result('1'), { type: 'text', text: 'hello' }))
    expect(messages).toHaveLength(4)
    expect(repairs.map(({ kind }) => kind)).toContain('result-moved')
  })

  it('puts results before other things', () => {
    const text = { type: 'text', text: 'here' }
    const { messages } = repair(
      [hello, assistant(use('1')), user(text, result('1'))],
      context('append'),
    )
    expect(messages[2]).toEqual(user(result('1'), text))
  })

  it('keeps one of two calls with one id, and one of two results', () => {
    expect(
      kinds([
        hello,
        assistant(use('1')),
        user(result('1')),
        assistant(use('1')),
        user(result('1')),
      ]),
    ).toContain('duplicate-dropped')
    expect(kinds([hello, assistant(use('1')), user(result('1'), result('1'))])).toEqual([
      'result-dropped',
    ])
  })

  it('leaves out empty texts, which are refused', () => {
    const empty = { type: 'text', text: '' }
    expect(kinds([hello, assistant(empty)])).toEqual(['empty-dropped', 'empty-dropped'])
    const { messages } = repair(
      [hello, assistant(use('1')), user(result('1', empty))],
      context('reference'),
    )
    expect(messages[2]).toEqual(user(result('1')))
  })

  it('takes back in the end what was defined in the conversation and is gone', () => {
    const definition = { name: 'a', description: '', input_schema: {} }
    const added = {
      role: 'system',
      content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }],
    }
    const said = assistant({ type: 'text', text: 'x' })
    const { messages, repairs } = repair([hello, added, said, hello], context('inline-addition'))
    expect(repairs).toEqual([{ kind: 'tool-removed', about: 'a', at: 4 }])
    expect(messages.slice(0, 4)).toEqual([hello, added, said, hello])
    expect(messages[4]).toEqual({
      role: 'system',
      content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } }],
    })
    expect(repair(messages, context('inline-addition')).repairs).toEqual([])
  })

  it('begins with the user', () => {
    const { messages } = repair([assistant({ type: 'text', text: 'x' })], context('reference'))
    expect(messages[0]).toMatchObject({ role: 'user' })
  })

  it.each([
    null,
    7,
    'x',
    {},
    { role: 'user' },
    { role: 'user', content: null },
    { role: 'user', content: [null, 7] },
  ])('does not break on %j', (odd) => {
    const messages = [hello, odd ?? {}, assistant(use('1'))] as never[]
    expect(() => repair(messages, context('reference'))).not.toThrow()
  })
})
