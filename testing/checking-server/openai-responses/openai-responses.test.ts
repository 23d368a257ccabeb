import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Reply } from '../reply.ts'
import { type CheckingServer, startCheckingServer } from '../start-checking-server.ts'
import { type OpenaiResponsesOptions, openaiResponses } from './openai-responses.ts'

const parameters = { type: 'object', properties: {}, additionalProperties: false }
const tool = (name: string, more: object = {}) => ({
  type: 'function',
  name,
  parameters,
  strict: false,
  ...more,
})
const find = tool('find')
const deferred = tool('mail', { description: 'Sends mail', defer_loading: true })
const namespace = (name: string, ...tools: object[]) => ({
  type: 'namespace',
  name,
  description: 'Customers',
  tools,
})
const crm = namespace('crm', tool('lookup', { defer_loading: true }))
const hosted = { type: 'tool_search' }
const client = { type: 'tool_search', execution: 'client', description: 'Finds', parameters }
const hello = { role: 'user', content: 'Hello' }
const call = (call_id: string, name = 'find', more: object = {}) => ({
  type: 'function_call',
  call_id,
  name,
  arguments: '{}',
  ...more,
})
const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'ok' })
const search = (call_id: string) => ({
  type: 'tool_search_call',
  call_id,
  execution: 'client',
  arguments: { query: 'mail' },
})
const loaded = (call_id: string, ...tools: object[]) => ({
  type: 'tool_search_output',
  call_id,
  execution: 'client',
  tools,
})
const found = {
  type: 'tool_search_output',
  call_id: null,
  execution: 'server',
  tools: [deferred],
}
const added = (...tools: object[]) => ({ type: 'additional_tools', role: 'developer', tools })
const allowed = (...tools: object[]) => ({
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
})

interface Case {
  it: string
  refused: object
  accepted: object
  says: string
  options?: OpenaiResponsesOptions
}

const cases: Case[] = [
  {
    it: 'deferred tools without tool_search',
    refused: { tools: [deferred] },
    accepted: { tools: [hosted, deferred] },
    says: 'Deferred tools require tools.tool_search',
  },
  {
    it: 'a deferred tool in a namespace without tool_search',
    refused: { tools: [crm] },
    accepted: { tools: [namespace('crm', tool('lookup'))] },
    says: 'Deferred tools require tools.tool_search',
  },
  {
    it: 'a hosted tool_search with nothing to find',
    refused: { tools: [hosted, find] },
    accepted: { tools: [client, find] },
    says: 'tools.tool_search requires at least one deferred tool',
  },
  {
    it: 'tool_search on a model that is too old',
    refused: { model: 'gpt-5.2', tools: [hosted, deferred] },
    accepted: { model: 'gpt-5.4-mini', tools: [hosted, deferred] },
    says: "Tool 'tool_search' is not supported with gpt-5.2.",
  },
  {
    it: 'a call without its output',
    refused: { input: [hello, call('a'), call('b'), output('a')] },
    accepted: { input: [hello, call('a'), call('b'), output('b'), output('a')] },
    says: 'No tool output found for function call b.',
  },
  {
    it: 'an output without its call',
    refused: { input: [hello, output('a')] },
    accepted: { input: [hello, output('a')], conversation: 'conv_1' },
    says: 'No tool call found for function call output with call_id a.',
  },
  {
    it: "a client's search without its output",
    refused: { tools: [client], input: [hello, search('a')] },
    accepted: { tools: [client], input: [hello, search('a'), loaded('a')] },
    says: 'No tool output found for tool search call a.',
  },
  {
    it: "a client's search output without its search",
    refused: { tools: [client], input: [hello, search('a'), loaded('a'), loaded('b')] },
    accepted: { tools: [client], input: [hello, search('a'), loaded('a')] },
    says: 'No tool call found for tool search output with call_id b.',
  },
  {
    it: 'an item sent twice',
    refused: {
      input: [hello, call('a', 'find', { id: 'fc_1' }), call('b', 'find', { id: 'fc_1' })],
    },
    accepted: {
      input: [
        hello,
        call('a', 'find', { id: 'fc_1' }),
        call('b', 'find', { id: 'fc_2' }),
        output('a'),
        output('b'),
      ],
    },
    says: 'Duplicate item found with id fc_1.',
  },
  {
    it: 'a search without arguments',
    refused: {
      tools: [client],
      input: [hello, { ...search('a'), arguments: undefined }, loaded('a')],
    },
    accepted: { tools: [client], input: [hello, { ...search('a'), arguments: {} }, loaded('a')] },
    says: "Missing required parameter: 'input[1].arguments'.",
  },
  {
    it: 'arguments of a call that are no string',
    refused: { input: [hello, call('a', 'find', { arguments: {} }), output('a')] },
    accepted: { input: [hello, call('a'), output('a')] },
    says: "Invalid type for 'input[1].arguments'",
  },
  {
    it: 'a call of a namespaced tool sent back without its namespace',
    refused: { tools: [hosted, crm], input: [hello, call('a', 'lookup'), output('a')] },
    accepted: {
      tools: [hosted, crm],
      input: [hello, call('a', 'lookup', { namespace: 'crm' }), output('a')],
    },
    says: "Missing namespace for function_call 'lookup'. It does not exist in the default namespace.",
  },
  {
    it: 'a call of a found tool sent back without its own name as namespace',
    refused: {
      tools: [hosted, deferred],
      input: [hello, found, call('a', 'mail'), output('a')],
    },
    accepted: {
      tools: [hosted, deferred],
      input: [hello, found, call('a', 'mail', { namespace: 'mail' }), output('a')],
    },
    says: "Missing namespace for function_call 'mail'.",
  },
  {
    it: "a call of a tool that a client's search brought, sent back without a namespace",
    refused: {
      tools: [client],
      input: [hello, search('a'), loaded('a', tool('mail')), call('b', 'mail'), output('b')],
    },
    accepted: {
      tools: [client],
      input: [hello, added(tool('mail')), call('b', 'mail'), output('b')],
    },
    says: "Missing namespace for function_call 'mail'.",
  },
  {
    it: 'two tools of one name',
    refused: { tools: [find, find] },
    accepted: { tools: [find, namespace('crm', find)] },
    says: "Duplicate tool name 'find' in tools[1]. Tool names must be unique.",
  },
  {
    it: 'two tools of one name in a namespace',
    refused: { tools: [namespace('crm', find, find)] },
    accepted: { tools: [namespace('crm', find), namespace('erp', find)] },
    says: "Duplicate tool name 'find' in tools[0].tools[1].",
  },
  {
    it: 'two namespaces of one name in a list',
    refused: { tools: [namespace('crm', find), namespace('crm', tool('add'))] },
    accepted: { tools: [namespace('crm', find, tool('add'))] },
    says: "Duplicate namespace name 'crm' in tools[1]. Namespace names must be unique.",
  },
  {
    it: 'a namespace loaded twice, where an endpoint minds',
    options: { uniqueNamespaces: true },
    refused: {
      tools: [client],
      input: [hello, search('a'), loaded('a', crm), search('b'), loaded('b', crm)],
    },
    accepted: {
      tools: [client],
      input: [hello, search('a'), loaded('a', crm), search('b'), loaded('b', find)],
    },
    says: "Duplicate namespace name 'crm' in input[4].tools[0].",
  },
  {
    it: 'a name with a dot',
    refused: { tools: [tool('a.b')] },
    accepted: { tools: [tool('a-b')] },
    says: "Invalid 'tools[0].name': string does not match pattern.",
  },
  {
    it: 'a name of 65 characters in a search output',
    refused: { tools: [client], input: [search('a'), loaded('a', tool('a'.repeat(65)))] },
    accepted: { tools: [client], input: [search('a'), loaded('a', tool('a'.repeat(64)))] },
    says: "Invalid 'input[1].tools[0].name': string too long.",
  },
  {
    it: 'a schema that is no object',
    refused: { tools: [tool('find', { parameters: { type: 'string' } })] },
    accepted: { tools: [find] },
    says: "Invalid schema for function 'find'",
  },
  {
    it: 'a namespace that is deferred itself',
    refused: { tools: [hosted, { ...crm, defer_loading: true }] },
    accepted: { tools: [hosted, crm] },
    says: "Unknown parameter: 'tools[1].defer_loading'.",
  },
  {
    it: 'an empty namespace',
    refused: { tools: [namespace('crm')] },
    accepted: { tools: [namespace('crm', find)] },
    says: "Invalid 'tools[0].tools': empty array.",
  },
  {
    it: 'a namespace without a description',
    refused: { tools: [{ ...namespace('crm', find), description: undefined }] },
    accepted: { tools: [namespace('crm', find)] },
    says: "Missing required parameter: 'tools[0].description'.",
  },
  {
    it: 'a tool in the form of Chat Completions',
    refused: { tools: [{ type: 'function', function: { name: 'find' } }] },
    accepted: { tools: [find] },
    says: "Unknown parameter: 'tools[0].function'.",
  },
  {
    it: 'an unknown field',
    refused: { messages: [hello] },
    accepted: { metadata: { messages: 'x' } },
    says: "Unknown parameter: 'messages'.",
  },
  {
    it: 'a choice among tools that names a deferred one',
    refused: { tools: [hosted, find, deferred], ...allowed({ type: 'function', name: 'mail' }) },
    accepted: { tools: [hosted, find, deferred], ...allowed({ type: 'function', name: 'find' }) },
    says: "Tool choice 'mail' not found in 'tools' parameter.",
  },
  {
    it: 'a choice among tools that names one in a namespace',
    refused: { tools: [namespace('crm', find)], ...allowed({ type: 'function', name: 'find' }) },
    accepted: { tools: [find], ...allowed({ type: 'function', name: 'find' }) },
    says: "Tool choice 'find' not found",
  },
  {
    it: 'a choice among tools that names the search',
    refused: { tools: [client, find], ...allowed({ type: 'tool_search' }) },
    accepted: { tools: [client, find], ...allowed({ type: 'function', name: 'find' }) },
    says: "Tool choice 'tool_search' not found",
  },
  {
    it: 'a choice of an unknown function',
    refused: { tools: [find], tool_choice: { type: 'function', name: 'mail' } },
    accepted: {
      tools: [find],
      tool_choice: { type: 'function', name: 'mail' },
      input: [hello, added(tool('mail'))],
    },
    says: "Tool choice 'mail' not found",
  },
  {
    it: 'additional_tools of another role',
    refused: { input: [hello, { ...added(find), role: 'user' }] },
    accepted: { input: [hello, added(find)] },
    says: "Invalid value: 'user'. Supported values are: 'developer'.",
  },
  {
    it: 'a field the endpoint does not know',
    options: { rejects: ['defer_loading'] },
    refused: { tools: [hosted, deferred] },
    accepted: {
      tools: [tool('find', { parameters: { ...parameters, properties: { defer_loading: {} } } })],
    },
    says: "Unknown parameter: 'tools[1].defer_loading'.",
  },
  {
    it: 'an item the endpoint does not know',
    options: { rejects: ['additional_tools'] },
    refused: { input: [hello, added(find)] },
    accepted: { input: [{ role: 'user', content: 'additional_tools' }] },
    says: "Invalid value: 'additional_tools'.",
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: OpenaiResponsesOptions = {}, replies: Reply[] = []) => {
  server = await startCheckingServer({ service: openaiResponses(options), replies })
  return new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
}
const base = { model: 'gpt-5.6', input: 'Hello' }

it.each(cases)('refuses $it', async ({ refused, accepted, says, options }) => {
  const api = await start(options)
  const send = (request: object) => api.responses.create({ ...base, ...request } as never)
  const error = await send(refused).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect((error as Error).message).toContain(says)
  expect(server!.requests[0]?.problem?.status).toBe(400)
  await expect(send(accepted)).resolves.toMatchObject({ output_text: 'Done.' })
})

it('wants a key', async () => {
  await start()
  const response = await fetch(`${server!.url}/v1/responses`, { method: 'POST', body: '{"a":1}' })
  expect(response.status).toBe(401)
})

const replies: [string, object, Reply, object[]][] = [
  [
    'a text',
    {},
    { text: 'Hello there' },
    [{ type: 'message', content: [{ text: 'Hello there' }] }],
  ],
  [
    'text and calls',
    { tools: [find] },
    { text: 'One moment', calls: [{ id: 'a', name: 'find', arguments: { query: 'mail' } }] },
    [{ type: 'message' }, { type: 'function_call', call_id: 'a', arguments: '{"query":"mail"}' }],
  ],
  [
    'a hosted search',
    { tools: [hosted, deferred, crm] },
    {
      search: { found: ['mail', 'lookup'] },
      calls: [
        { id: 'a', name: 'mail', arguments: {} },
        { id: 'b', name: 'crm.lookup', arguments: {} },
      ],
    },
    [
      { type: 'tool_search_call', call_id: null, arguments: { paths: ['mail', 'crm'] } },
      { type: 'tool_search_output', call_id: null, tools: [deferred, crm] },
      { type: 'function_call', name: 'mail', namespace: 'mail' },
      { type: 'function_call', name: 'lookup', namespace: 'crm' },
    ],
  ],
  [
    "a client's search",
    { tools: [client] },
    { clientSearch: { arguments: { query: 'mail' }, callId: 'a' } },
    [{ type: 'tool_search_call', call_id: 'a', execution: 'client', arguments: { query: 'mail' } }],
  ],
]

it.each(replies)(
  'streams %s to the same response as the whole form',
  async (_, request, reply, is) => {
    const api = await start({}, [reply, reply])
    const params = { ...base, ...request } as never
    const whole = await api.responses.create(params)
    const streamed = await api.responses.stream(params).finalResponse()
    expect(whole.output).toMatchObject(is)
    expect(withoutIds(streamed.output)).toEqual(withoutIds(whole.output))
    expect(streamed.usage).toEqual(whole.usage)
  },
)

it('sends arguments in several deltas', async () => {
  const api = await start({}, [{ calls: [{ name: 'find', arguments: { query: 'mail' } }] }])
  const events = await api.responses.create({ ...base, tools: [find], stream: true } as never)
  const types: string[] = []
  for await (const event of events as unknown as AsyncIterable<{ type: string }>) {
    types.push(event.type)
  }
  const deltas = types.filter((type) => type === 'response.function_call_arguments.delta')
  expect(deltas.length).toBeGreaterThan(1)
  expect(types.at(-1)).toBe('response.completed')
})

it.each(replies.slice(1, 3))('accepts %s when it is sent back', async (_, request, reply) => {
  const api = await start({}, [reply])
  const first = await api.responses.create({ ...base, ...request } as never)
  const calls = first.output.filter((item) => item.type === 'function_call')
  const input = [hello, ...first.output, ...calls.map((item) => output(item.call_id))]
  const second = await api.responses.create({ ...base, ...request, input } as never)
  expect(second.output_text).toBe('Done.')
})

it('goes on from a response it has kept', async () => {
  const api = await start({}, [{ calls: [{ id: 'a', name: 'find', arguments: {} }] }])
  const first = await api.responses.create({ ...base, tools: [find] } as never)
  const next = { ...base, tools: [find], previous_response_id: first.id }
  await expect(api.responses.create({ ...next, input: [hello] } as never)).rejects.toThrow(
    'No tool output found for function call a.',
  )
  const second = await api.responses.create({ ...next, input: [output('a')] } as never)
  expect(second.output_text).toBe('Done.')
  const lost = api.responses.create({ ...next, previous_response_id: 'resp_x' } as never)
  await expect(lost).rejects.toThrow("Previous response with id 'resp_x' not found.")
})

it('takes the name of an item it has kept for the item', async () => {
  const api = await start({}, [{ calls: [{ id: 'a', name: 'find', arguments: {} }] }])
  const first = await api.responses.create({ ...base, tools: [find] } as never)
  const named = (id: string) => [{ type: 'item_reference', id }, output('a')]
  const second = await api.responses.create({
    ...base,
    input: named(first.output[0]!.id!),
  } as never)
  expect(second.output_text).toBe('Done.')
  const error = await api.responses
    .create({ ...base, input: named('fc_x') } as never)
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(OpenAI.NotFoundError)
})

it('keeps nothing when it is told not to', async () => {
  const api = await start()
  const first = await api.responses.create({ ...base, store: false } as never)
  const next = api.responses.create({ ...base, previous_response_id: first.id } as never)
  await expect(next).rejects.toThrow(`Previous response with id '${first.id}' not found.`)
})

it.each([
  ['a hosted search', { search: { found: ['mail'] } }, { tools: [client] }],
  ["a client's search", { clientSearch: { arguments: {} } }, { tools: [hosted, deferred] }],
])(
  'says so when the script asks for %s that the request does not allow',
  async (_, reply, request) => {
    const api = await start({}, [reply])
    const sent = api.responses.create({ ...base, ...request } as never)
    await expect(sent).rejects.toThrow('declares no')
  },
)

describe('promptOf', () => {
  const { promptOf } = openaiResponses()

  it('keeps the prefix when tools come in items', () => {
    const before = promptOf({ tools: [client], instructions: 'Be kind.', input: [hello] })
    for (const items of [[search('a'), loaded('a', deferred)], [added(deferred)]]) {
      const after = promptOf({
        tools: [client],
        instructions: 'Be kind.',
        input: [hello, ...items],
      })
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.join()).toContain('Sends mail')
    }
  })

  it('shows names and descriptions of what is deferred, not its parameters', () => {
    const prompt = promptOf({ tools: [hosted, deferred, crm], input: 'Hello' })
    expect(prompt.join()).toContain('Sends mail')
    expect(prompt.join()).toContain('Customers')
    expect(prompt.join()).not.toContain('properties')
    expect(prompt.join()).not.toContain('lookup')
  })

  it('shows that a tool put into the list breaks the prefix', () => {
    const before = promptOf({ tools: [find], input: [hello] })
    const after = promptOf({ tools: [find, tool('mail')], input: [hello, hello] })
    expect(after.slice(0, before.length)).not.toEqual(before)
  })
})

function withoutIds(output: unknown): unknown {
  return JSON.parse(
    JSON.stringify(output, (key, value) =>
      key === 'id' || key === 'parsed' || key === 'parsed_arguments' ? undefined : value,
    ),
  )
}
