import { describe, expect, it } from 'vitest'
import type { Block } from '../../transcript/block.ts'
import type { ReconcileContext } from '../provider.ts'
import { repairedMessages } from '../repaired-messages.fixtures.ts'
import { type OpenaiMode, openaiModes } from './openai-modes.ts'
import { read } from './read.ts'
import { reconcile } from './reconcile.ts'
import { repair as repairStructure } from './repair.ts'

/** Both steps of a repair. */
const repair = (items: readonly Block[], context: ReconcileContext) => {
  const { messages, repairs } = repairedMessages(
    items,
    read,
    (entries) => repairStructure(entries, context),
    (entries) => reconcile(entries, context),
  )
  return { messages, repairs }
}

const user = { role: 'user', content: 'Hello' }
const call = (call_id: string, more: object = {}) => ({
  type: 'function_call',
  call_id,
  name: 'mail',
  arguments: '{}',
  ...more,
})
const output = (call_id: string, text = 'ok') => ({
  type: 'function_call_output',
  call_id,
  output: text,
})
const mail = { type: 'function', name: 'mail', parameters: {}, strict: false }
const search = (call_id: string) => ({
  type: 'tool_search_call',
  call_id,
  execution: 'client',
  arguments: {},
})
const found = (call_id: string, ...tools: object[]) => ({
  type: 'tool_search_output',
  call_id,
  execution: 'client',
  status: 'completed',
  tools,
})
const hosted = { call_id: null, execution: 'server', status: 'completed' }
const hostedSearch = { type: 'tool_search_call', id: 'tsc_1', ...hosted, arguments: {} }
const crm = { type: 'namespace', name: 'crm', description: 'x', tools: [mail] }
const inMail = call('b', { namespace: 'mail' })
const inCrm = call('a', { namespace: 'crm' })
const hostedFound = { type: 'tool_search_output', id: 'tso_1', ...hosted, tools: [crm] }
const added = (...tools: object[]) => ({ type: 'additional_tools', role: 'developer', tools })
const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [] })
const foundText = { role: 'developer', content: 'Found: mail.' }

const definition = { name: 'mail', description: 'Sends mail.', inputSchema: {} }

function context(mode: OpenaiMode, more: Partial<ReconcileContext> = {}): ReconcileContext {
  return {
    mode: openaiModes[mode],
    deferred: mode === 'hosted' ? [{ ...definition, source: 'mcp:crm' }] : [],
    canSearch: true,
    isListChanged: false,
    hasProviderSearch: mode === 'hosted',
    isDeferred: (name) => mode === 'hosted' && name === 'mail',
    isListed: () => false,
    definition: (name) => (name === 'mail' ? definition : undefined),
    ...more,
  }
}

interface Case {
  it: string
  mode?: OpenaiMode
  before: Block[]
  after: Block[]
  kinds: string[]
  more?: Partial<ReconcileContext>
}

const cases: Case[] = [
  {
    it: 'adds a placeholder output to a call without one',
    before: [user, call('a'), call('b'), output('b')],
    after: [user, call('a'), output('a', 'No result was recorded.'), call('b'), output('b')],
    kinds: ['call-answered'],
  },
  {
    it: 'waits for the output of an asynchronous call',
    before: [user, call('a', { async: true }), call('b'), user],
    after: [
      user,
      call('a', { async: true }),
      call('b'),
      output('b', 'No result was recorded.'),
      user,
    ],
    kinds: ['call-answered'],
  },
  {
    it: 'drops an output without a call',
    before: [user, output('a')],
    after: [user],
    kinds: ['result-dropped'],
  },
  {
    it: 'drops the second call and the second output with the same id',
    before: [user, call('a'), output('a'), call('a'), output('a', 'again')],
    after: [user, call('a'), output('a')],
    kinds: ['duplicate-dropped', 'result-dropped'],
  },
  {
    it: 'moves an output after its call',
    before: [user, output('a'), call('a'), user],
    after: [user, call('a'), output('a'), user],
    kinds: ['result-moved'],
  },
  {
    it: 'prefers an output after the call to one before it',
    before: [output('a', 'early'), call('a'), output('a')],
    after: [call('a'), output('a')],
    kinds: ['result-dropped'],
  },
  {
    it: 'adds an empty output to a client search without one',
    before: [user, search('a'), user],
    after: [user, search('a'), found('a'), user],
    kinds: ['call-answered'],
  },
  {
    it: 'distinguishes a search and a call with the same id',
    before: [user, search('a'), call('a'), output('a')],
    after: [user, search('a'), found('a'), call('a'), output('a')],
    kinds: ['call-answered'],
  },
  {
    it: 'replaces a search with text if the mode has no search items',
    mode: 'bridge',
    before: [user, search('a'), found('a', mail), user],
    after: [user, foundText, user],
    kinds: ['search-to-text'],
  },
  {
    it: 'drops a search without an output if the mode has no search items',
    mode: 'bridge',
    before: [user, search('a'), user],
    after: [user, user],
    kinds: ['search-to-text'],
  },
  {
    it: 'names the found tools that no longer exist',
    mode: 'bridge',
    before: [search('a'), found('a', mail, { ...mail, name: 'fax' })],
    after: [{ role: 'developer', content: 'Found: mail. No longer available: fax.' }],
    kinds: ['search-to-text'],
  },
  {
    it: 'replaces a hosted search with text in client mode',
    before: [user, hostedSearch, hostedFound],
    after: [user, foundText],
    kinds: ['search-to-text'],
  },
  {
    it: 'replaces a client search with text in hosted mode',
    mode: 'hosted',
    before: [user, search('a'), found('a', mail)],
    after: [user, foundText],
    kinds: ['search-to-text'],
  },
  {
    it: 'replaces the output of a hosted search without a call with text',
    mode: 'hosted',
    before: [user, { ...hostedFound, id: 'tso_0' }, hostedSearch, hostedFound],
    after: [user, foundText, hostedSearch, hostedFound],
    kinds: ['search-to-text'],
  },
  {
    it: 'drops a hosted search without an output',
    mode: 'hosted',
    before: [user, { ...hostedSearch, id: 'tsc_0' }, hostedSearch, hostedFound],
    after: [user, hostedSearch, hostedFound],
    kinds: ['search-to-text'],
  },
  {
    it: 'replaces additional tools with text if the mode does not support them',
    mode: 'bridge',
    before: [user, added(mail)],
    after: [user, foundText],
    kinds: ['reference-to-text'],
  },
  {
    it: 'drops definitions of functions that the request lists',
    before: [user, search('a'), found('a', mail), added(mail)],
    after: [user, search('a'), found('a')],
    kinds: ['duplicate-dropped', 'duplicate-dropped'],
    more: { isListed: (name) => name === 'mail' },
  },
  {
    // https://github.com/dust-tt/dust/pull/31323
    it: 'sets the namespace of a call to the namespace of its function',
    mode: 'hosted',
    before: [user, call('a'), output('a'), call('b', { namespace: 'mail' }), output('b')],
    after: [
      user,
      call('a', { namespace: 'crm' }),
      output('a'),
      call('b', { namespace: 'crm' }),
      output('b'),
    ],
    kinds: ['namespace-changed', 'namespace-changed'],
  },
  {
    it: 'sets the namespace of a call to the name of its function if a search found the function',
    before: [user, search('a'), found('a', mail), call('b'), output('b')],
    after: [user, search('a'), found('a', mail), inMail, output('b')],
    kinds: ['namespace-changed'],
  },
  {
    it: 'removes a namespace named after the function if the search is not sent',
    before: [user, found('a', mail), inMail, output('b')],
    after: [user, call('b'), output('b')],
    kinds: ['result-dropped', 'namespace-changed'],
  },
  {
    it: 'drops a duplicate of an item',
    before: [user, reasoning('a'), call('b'), output('b'), reasoning('a'), user],
    after: [user, reasoning('a'), call('b'), output('b'), user],
    kinds: ['duplicate-dropped'],
  },
  {
    it: 'drops duplicates of a hosted search and its output',
    mode: 'hosted',
    before: [user, hostedSearch, hostedFound, hostedSearch, hostedFound],
    after: [user, hostedSearch, hostedFound],
    kinds: ['duplicate-dropped', 'duplicate-dropped'],
  },
  {
    it: 'removes the namespace from a call to a listed function',
    mode: 'hosted',
    before: [user, call('a', { namespace: 'crm' }), output('a')],
    after: [user, call('a'), output('a')],
    kinds: ['namespace-changed'],
    more: { isListed: (name) => name === 'mail', deferred: [] },
  },
  {
    it: 'removes namespaces in a mode for endpoints that may not support them',
    mode: 'bridge',
    before: [user, call('a', { namespace: 'crm' }), output('a')],
    after: [user, call('a'), output('a')],
    kinds: ['namespace-changed'],
  },
  {
    // https://github.com/continuedev/continue/issues/8933
    it: 'drops reasoning that no output of the model follows',
    before: [user, reasoning('a'), user, reasoning('b'), reasoning('c')],
    after: [user, user],
    kinds: ['reasoning-dropped', 'reasoning-dropped', 'reasoning-dropped'],
  },
  {
    it: 'drops reasoning before a search that is replaced by text',
    mode: 'bridge',
    before: [user, reasoning('a'), search('a'), found('a', mail)],
    after: [user, foundText],
    kinds: ['search-to-text', 'reasoning-dropped'],
  },
]

describe('repair', () => {
  it.each(cases)('$it', ({ mode = 'client', before, after, kinds, more }) => {
    const here = context(mode, more)
    const { messages, repairs } = repair(before, here)
    expect(messages).toEqual(after)
    expect(repairs.map(({ kind }) => kind)).toEqual(kinds)
    expect(repair(messages, here)).toEqual({ messages, repairs: [] })
  })

  it.each<[OpenaiMode, Block[]]>([
    [
      'client',
      [user, reasoning('a'), search('a'), found('a', mail), foundText, inMail, output('b')],
    ],
    ['client', [user, added(mail), call('b'), call('c'), output('c'), output('b')]],
    ['client', [user, search('a'), found('a', { ...mail, name: 'gone' })]],
    ['hosted', [user, hostedSearch, hostedFound, reasoning('b'), inCrm, output('a')]],
    ['bridge', [user, { type: 'item_reference', id: 'x' }, { type: 'web_search_call', id: 'y' }]],
  ])('returns a valid history of mode %s unchanged', (mode, before) => {
    const { messages, repairs } = repair(before, context(mode))
    expect(repairs).toEqual([])
    expect(messages).toBe(before)
  })
})
