import { describe, expect, it } from 'vitest'
import type { RepairContext } from '../provider.ts'
import type { Item } from './items.ts'
import { repair } from './repair.ts'

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
const thought = (id: string) => ({ type: 'reasoning', id, summary: [] })
const told = { role: 'developer', content: 'Found: mail.' }

const definition = { name: 'mail', description: 'Sends mail.', inputSchema: {} }

function context(mode: string, more: Partial<RepairContext> = {}): RepairContext {
  return {
    mode,
    deferred: mode === 'hosted' ? [{ ...definition, source: 'mcp:crm' }] : [],
    canSearch: true,
    hasOwnSearch: mode === 'hosted',
    isDeferred: (name) => mode === 'hosted' && name === 'mail',
    isListed: () => false,
    definition: (name) => (name === 'mail' ? definition : undefined),
    ...more,
  }
}

interface Case {
  it: string
  mode?: string
  given: Item[]
  gives: Item[]
  kinds: string[]
  more?: Partial<RepairContext>
}

const cases: Case[] = [
  {
    it: 'makes up an output right after a call that has none',
    given: [user, call('a'), call('b'), output('b')],
    gives: [user, call('a'), output('a', 'No result was recorded.'), call('b'), output('b')],
    kinds: ['call-answered'],
  },
  {
    it: 'drops an output without its call',
    given: [user, output('a')],
    gives: [user],
    kinds: ['result-dropped'],
  },
  {
    it: 'drops a second call and a second output of one id',
    given: [user, call('a'), output('a'), call('a'), output('a', 'again')],
    gives: [user, call('a'), output('a')],
    kinds: ['duplicate-dropped', 'result-dropped'],
  },
  {
    it: 'moves an output behind its call',
    given: [user, output('a'), call('a'), user],
    gives: [user, call('a'), output('a'), user],
    kinds: ['result-moved'],
  },
  {
    it: 'drops an early output where a later one is there',
    given: [output('a', 'early'), call('a'), output('a')],
    gives: [call('a'), output('a')],
    kinds: ['result-dropped'],
  },
  {
    it: "makes up the output of a client's search",
    given: [user, search('a'), user],
    gives: [user, search('a'), found('a'), user],
    kinds: ['call-answered'],
  },
  {
    it: 'tells apart a search and a call of one id',
    given: [user, search('a'), call('a'), output('a')],
    gives: [user, search('a'), found('a'), call('a'), output('a')],
    kinds: ['call-answered'],
  },
  {
    it: 'tells what a search found where the request has no such search',
    mode: 'bridge',
    given: [user, search('a'), found('a', mail), user],
    gives: [user, told, user],
    kinds: ['search-to-text'],
  },
  {
    it: 'says which of the found tools are gone',
    mode: 'bridge',
    given: [search('a'), found('a', mail, { ...mail, name: 'fax' })],
    gives: [{ role: 'developer', content: 'Found: mail. No longer available: fax.' }],
    kinds: ['search-to-text'],
  },
  {
    it: "tells what OpenAI's search found to a request with another search",
    given: [user, hostedSearch, hostedFound],
    gives: [user, told],
    kinds: ['search-to-text'],
  },
  {
    it: "tells what a client's search found to a request with OpenAI's",
    mode: 'hosted',
    given: [user, search('a'), found('a', mail)],
    gives: [user, told],
    kinds: ['search-to-text'],
  },
  {
    it: 'tells what a hosted search found whose call is lost',
    mode: 'hosted',
    given: [user, { ...hostedFound, id: 'tso_0' }, hostedSearch, hostedFound],
    gives: [user, told, hostedSearch, hostedFound],
    kinds: ['search-to-text'],
  },
  {
    it: 'drops a hosted search whose output is lost',
    mode: 'hosted',
    given: [user, { ...hostedSearch, id: 'tsc_0' }, hostedSearch, hostedFound],
    gives: [user, hostedSearch, hostedFound],
    kinds: ['search-to-text'],
  },
  {
    it: 'tells of added tools where they cannot be added',
    mode: 'bridge',
    given: [user, added(mail)],
    gives: [user, told],
    kinds: ['reference-to-text'],
  },
  {
    it: 'defines no function that the request lists',
    given: [user, search('a'), found('a', mail), added(mail)],
    gives: [user, search('a'), found('a')],
    kinds: ['duplicate-dropped', 'duplicate-dropped'],
    more: { isListed: (name) => name === 'mail' },
  },
  {
    // https://github.com/dust-tt/dust/pull/31323
    it: 'gives a call the namespace that its function is in',
    mode: 'hosted',
    given: [user, call('a'), output('a'), call('b', { namespace: 'mail' }), output('b')],
    gives: [
      user,
      call('a', { namespace: 'crm' }),
      output('a'),
      call('b', { namespace: 'crm' }),
      output('b'),
    ],
    kinds: ['namespace-changed', 'namespace-changed'],
  },
  {
    it: 'gives a call the namespace of its own name when a search has found its function',
    given: [user, search('a'), found('a', mail), call('b'), output('b')],
    gives: [user, search('a'), found('a', mail), inMail, output('b')],
    kinds: ['namespace-changed'],
  },
  {
    it: 'takes that namespace from a call when the search is not sent',
    mode: 'additional-tools',
    given: [user, search('a'), found('a', mail), added(mail), inMail, output('b')],
    gives: [user, told, added(mail), call('b'), output('b')],
    kinds: ['search-to-text', 'namespace-changed'],
  },
  {
    it: 'drops the copy of an item',
    given: [user, thought('a'), call('b'), output('b'), thought('a'), user],
    gives: [user, thought('a'), call('b'), output('b'), user],
    kinds: ['duplicate-dropped'],
  },
  {
    it: 'drops the copy of a hosted search, not what it found',
    mode: 'hosted',
    given: [user, hostedSearch, hostedFound, hostedSearch, hostedFound],
    gives: [user, hostedSearch, hostedFound],
    kinds: ['duplicate-dropped', 'duplicate-dropped'],
  },
  {
    it: 'takes the namespace from a call whose function is listed',
    mode: 'hosted',
    given: [user, call('a', { namespace: 'crm' }), output('a')],
    gives: [user, call('a'), output('a')],
    kinds: ['namespace-changed'],
    more: { isListed: (name) => name === 'mail', deferred: [] },
  },
  {
    it: 'sends no namespace to an endpoint that may not know any',
    mode: 'bridge',
    given: [user, call('a', { namespace: 'crm' }), output('a')],
    gives: [user, call('a'), output('a')],
    kinds: ['namespace-changed'],
  },
  {
    // https://github.com/continuedev/continue/issues/8933
    it: 'drops reasoning that nothing follows',
    given: [user, thought('a'), user, thought('b'), thought('c')],
    gives: [user, user],
    kinds: ['reasoning-dropped', 'reasoning-dropped', 'reasoning-dropped'],
  },
  {
    it: 'drops reasoning that led to a search told as text',
    mode: 'bridge',
    given: [user, thought('a'), search('a'), found('a', mail)],
    gives: [user, told],
    kinds: ['search-to-text', 'reasoning-dropped'],
  },
]

describe('repair', () => {
  it.each(cases)('$it', ({ mode = 'client', given, gives, kinds, more }) => {
    const here = context(mode, more)
    const { messages, repairs } = repair(given, here)
    expect(messages).toEqual(gives)
    expect(repairs.map(({ kind }) => kind)).toEqual(kinds)
    expect(repair(messages, here)).toEqual({ messages, repairs: [] })
  })

  it.each([
    ['client', [user, thought('a'), search('a'), found('a', mail), told, inMail, output('b')]],
    ['client', [user, added(mail), call('b'), call('c'), output('c'), output('b')]],
    ['client', [user, search('a'), found('a', { ...mail, name: 'gone' })]],
    ['hosted', [user, hostedSearch, hostedFound, thought('b'), inCrm, output('a')]],
    ['bridge', [user, { type: 'item_reference', id: 'x' }, { type: 'web_search_call', id: 'y' }]],
  ])('leaves a history of mode %s that is fine as it is', (mode, given) => {
    const { messages, repairs } = repair(given, context(mode))
    expect(repairs).toEqual([])
    expect(messages).toBe(given)
  })
})
