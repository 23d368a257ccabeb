import { describe, expect, it } from 'vitest'
import type { ReconcileContext } from '../provider.ts'
import { repairedMessages } from '../repaired-messages.fixtures.ts'
import { type AnthropicMode, anthropicModes } from './anthropic-modes.ts'
import type { AnthropicMessage } from './blocks.ts'
import { read } from './read.ts'
import { reconcile } from './reconcile.ts'
import { repair as repairStructure } from './repair.ts'

/** Both steps of a repair. */
const repair = (history: readonly AnthropicMessage[], context: ReconcileContext) => {
  const { messages, repairs } = repairedMessages(
    history,
    read,
    (entries) => repairStructure(entries, context, 'drop'),
    (entries) => reconcile(entries, context, 'drop'),
  )
  return { messages, repairs }
}

const context = (mode: AnthropicMode, ...names: string[]): ReconcileContext => ({
  mode: anthropicModes[mode],
  deferred: [],
  canSearch: true,
  isListChanged: false,
  isListed: () => false,
  hasProviderSearch: mode === 'native',
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
const kinds = (messages: object[], mode: AnthropicMode = 'reference', ...names: string[]) =>
  repair(messages as never[], context(mode, ...names)).repairs.map(({ kind }) => kind)

describe('repair', () => {
  it('replaces only references that do not resolve with text', () => {
    const messages = [hello, assistant(use('1')), user(result('1', refer('a'), refer('b')))]
    const repaired = repair(messages, context('reference', 'a'))
    expect(repaired.messages[2]).toEqual(
      user(result('1', refer('a'), { type: 'text', text: 'No longer available: b.' })),
    )
    expect(repaired.repairs).toEqual([{ kind: 'reference-to-text', about: 'b', at: 2 }])
  })

  it('replaces every reference with text in a mode without references', () => {
    const messages = [hello, assistant(use('1')), user(result('1', refer('a')))]
    expect(repair(messages, context('bridge', 'a')).messages[2]).toEqual(
      user(result('1', { type: 'text', text: 'Found: a.' })),
    )
  })

  it('adds a placeholder result to a call without one', () => {
    expect(kinds([hello, assistant(use('1'))])).toEqual(['call-answered'])
    expect(kinds([hello, assistant(use('1')), hello])).toEqual(['call-answered'])
    expect(kinds([hello, assistant(use('1')), assistant(use('2')), user(result('2'))])).toEqual([
      'call-answered',
    ])
  })

  // https://github.com/anthropics/claude-code/issues/23440
  it('drops text that is only whitespace', () => {
    const blank = { type: 'text', text: '\n\n' }
    const messages = [hello, assistant(blank, use('1')), user(result('1', blank))]
    const repaired = repair(messages, context('reference'))
    expect(repaired.messages).toEqual([hello, assistant(use('1')), user(result('1'))])
    expect(kinds([hello, { role: 'assistant', content: ' ' }, hello])).toContain('empty-dropped')
  })

  it('drops thinking only at the end of a message', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    const text = { type: 'text', text: 'Well.' }
    const good = [hello, assistant(thinking, text), hello]
    expect(repair(good, context('reference')).messages).toBe(good)
    const redacted = { type: 'redacted_thinking', data: 'x' }
    const cut = [hello, assistant(thinking, text, thinking, redacted), hello, assistant(thinking)]
    expect(repair(cut, context('reference'))).toEqual({
      messages: [hello, assistant(thinking, text), hello],
      repairs: [
        { kind: 'reasoning-dropped', about: 'thinking', at: 1 },
        { kind: 'reasoning-dropped', about: 'thinking', at: 3 },
        { kind: 'empty-dropped', about: 'assistant', at: 3 },
      ],
    })
  })

  it('fixes ids and arguments from the models of other providers', () => {
    const call = { ...use('functions.search:0'), input: 'x' }
    const messages = [hello, assistant(call), user(result('functions.search:0'))]
    const fixed = [hello, assistant(use('functions_search_0')), user(result('functions_search_0'))]
    expect(repair(messages, context('reference'))).toEqual({
      messages: fixed,
      repairs: [{ kind: 'call-fixed', about: 'functions.search:0', at: 1 }],
    })
  })

  it('drops a result without a call, and a message that becomes empty', () => {
    expect(kinds([hello, user(result('1'))])).toEqual(['result-dropped'])
  })

  it('moves a result to the message after its call', () => {
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

  it('puts results before other blocks', () => {
    const text = { type: 'text', text: 'here' }
    const { messages } = repair(
      [hello, assistant(use('1')), user(text, result('1'))],
      context('append'),
    )
    expect(messages[2]).toEqual(user(result('1'), text))
  })

  it('drops the second call and the second result with the same id', () => {
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

  it('drops empty texts', () => {
    const empty = { type: 'text', text: '' }
    expect(kinds([hello, assistant(empty)])).toEqual(['empty-dropped', 'empty-dropped'])
    const { messages } = repair(
      [hello, assistant(use('1')), user(result('1', empty))],
      context('reference'),
    )
    expect(messages[2]).toEqual(user(result('1')))
  })

  it('appends removals of inline tools that no longer exist', () => {
    const definition = { name: 'a', description: '', input_schema: {} }
    const added = {
      role: 'system',
      content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }],
    }
    const answer = assistant({ type: 'text', text: 'x' })
    const { messages, repairs } = repair([hello, added, answer, hello], context('inline-addition'))
    expect(repairs).toEqual([{ kind: 'tool-removed', about: 'a', at: 4 }])
    expect(messages.slice(0, 4)).toEqual([hello, added, answer, hello])
    expect(messages[4]).toEqual({
      role: 'system',
      content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } }],
    })
    expect(repair(messages, context('inline-addition')).repairs).toEqual([])
  })

  it("drops another mode's removal of a tool that nothing defines inline", () => {
    const change = (type: string) => ({
      role: 'system',
      content: [{ type, tool: { type: 'tool_reference', name: 'a' } }],
    })
    const answer = assistant({ type: 'text', text: 'x' })
    const history = [hello, change('tool_addition'), answer, hello, change('tool_removal')]
    const { messages, repairs } = repair(history, context('inline-addition'))
    expect(messages).toEqual([hello, answer, hello])
    expect(repairs.filter(({ kind }) => kind === 'change-dropped').map(({ at }) => at)).toEqual([
      1, 4,
    ])
  })

  it.each([
    { it: 'no content', content: {} },
    { it: 'an empty list', content: { content: [] } },
    { it: 'an empty text', content: { content: '' } },
    { it: 'only blank texts', content: { content: [{ type: 'text', text: ' ' }] } },
  ])('gives an error with $it a text', ({ content }) => {
    const failed = { type: 'tool_result', tool_use_id: '1', is_error: true, ...content }
    const history = [hello, assistant(use('1')), user(failed)]
    const { messages, repairs } = repair(history, context('reference'))
    const message = 'The tool reported an error without a message.'
    expect(messages[2]).toEqual(user({ ...failed, content: [{ type: 'text', text: message }] }))
    expect(repairs[0]).toMatchObject({ about: '1', at: 2 })
    expect(repair(messages, context('reference')).repairs).toEqual([])
  })

  it('adds a user message at the start', () => {
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
  ])('does not throw if a message is %j', (invalid) => {
    const messages = [hello, invalid ?? {}, assistant(use('1'))] as never[]
    expect(() => repair(messages, context('reference'))).not.toThrow()
  })
})
