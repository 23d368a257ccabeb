import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { inProcessServer } from '../in-process-server.ts'
import type { Reply } from '../reply.ts'
import { takeScriptErrors } from '../script-errors.ts'
import type { CheckingServer } from '../start-checking-server.ts'
import { type OpenaiResponsesOptions, openaiResponses } from './openai-responses.ts'

const parameters = {
  type: 'object',
  properties: { query: { type: 'string' } },

  additionalProperties: false,
}
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

const answered = (content: unknown) => ({
  tools: [find],
  input: [hello, call('a'), { type: 'function_call_output', call_id: 'a', output: content }],
})
const png = 'data:image/png;base64,iVBORw0KGgo='
const pdf = 'data:application/pdf;base64,JVBERi0='

interface Case {
  it: string
  rejected: object
  accepted: object
  message: string
  options?: OpenaiResponsesOptions
}

const custom = { type: 'custom_tool_call', call_id: 'a', name: 'sql', input: 'SELECT 1' }
const customOutput = { type: 'custom_tool_call_output', call_id: 'a', output: '1' }
const program = { type: 'program', caller_id: 'p' }
const shell = { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }
const shellOutput = { type: 'shell_call_output', call_id: 'a', output: [] }
const localShell = { type: 'local_shell_call', id: 'l', call_id: 'a', action: { command: ['ls'] } }
const screenshot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' }
const click = { type: 'computer_call', call_id: 'a', action: { type: 'screenshot' } }
const patch = { type: 'apply_patch_call', call_id: 'a', operation: { type: 'delete_file' } }
const patched = { type: 'apply_patch_call_output', call_id: 'a' }

const cases: Case[] = [
  {
    it: 'an output that is an object',
    rejected: answered({ ok: true }),
    accepted: answered([{ type: 'input_text', text: '{"ok":true}' }]),
    message: "Invalid type for 'input[2].output'",
  },
  {
    it: 'a part of an output that outputs do not have',
    rejected: answered([{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }]),
    accepted: answered([{ type: 'input_image', image_url: png }]),
    message: "Invalid value: 'image'. Supported values are: 'input_text', 'input_image'",
  },
  {
    it: 'an image that is not an address',
    rejected: answered([{ type: 'input_image', image_url: 'iVBORw0KGgo=' }]),
    accepted: answered([{ type: 'input_image', image_url: 'https://a.example/b.png' }]),
    message: 'Expected a valid URL or a base64-encoded data URL',
  },
  {
    it: 'a file without a name',
    rejected: answered([{ type: 'input_file', file_data: pdf }]),
    accepted: answered([{ type: 'input_file', file_data: pdf, filename: 'a.pdf' }]),
    message: "Missing required parameter: 'input[2].output[0].filename'",
  },
  {
    it: 'a strict function with an optional property',
    rejected: {
      tools: [
        tool('f', {
          strict: true,
          parameters: { ...parameters, properties: { a: { type: 'null' } } },
        }),
      ],
    },
    accepted: {
      tools: [
        tool('f', {
          strict: true,
          parameters: { ...parameters, properties: { a: { type: 'null' } }, required: ['a'] },
        }),
      ],
    },
    message: "Missing 'a'",
  },
  {
    it: 'a strict function with an open object',
    rejected: {
      tools: [tool('f', { strict: true, parameters: { type: 'object', properties: {} } })],
    },
    accepted: {
      tools: [tool('f', { strict: true, parameters: { ...parameters, required: ['query'] } })],
    },
    message: "'additionalProperties' is required",
  },
  {
    it: 'an unknown caller',
    rejected: { tools: [tool('f', { allowed_callers: ['code_execution_20260120'] })] },
    accepted: { tools: [tool('f', { allowed_callers: ['direct', 'programmatic'] })] },
    message: "Invalid value: 'code_execution_20260120'",
  },
  {
    it: 'a custom tool call without an output',
    rejected: { input: [hello, custom] },
    accepted: { input: [hello, custom, customOutput] },
    message: 'No tool output found for custom tool call a',
  },
  {
    it: 'a custom tool call with arguments instead of an input',
    rejected: { input: [hello, { ...custom, input: undefined, arguments: '{}' }, customOutput] },
    accepted: { input: [hello, custom, customOutput] },
    message: "Invalid type for 'input[1].input'",
  },
  {
    it: 'the output of a function for a custom tool call',
    rejected: { input: [hello, custom, output('a')] },
    accepted: { input: [hello, custom, customOutput] },
    message: 'No tool call found for function call output',
  },
  {
    it: 'an output without the program that made its call',
    rejected: { input: [hello, call('a', 'find', { caller: program }), output('a')] },
    accepted: {
      input: [hello, call('a', 'find', { caller: program }), { ...output('a'), caller: program }],
    },
    message: 'The caller of function call output a must be that of its tool call',
  },
  {
    it: 'a shell call without an output',
    rejected: { input: [hello, shell] },
    accepted: { input: [hello, shell, shellOutput] },
    message: 'No tool output found for shell call a',
  },
  {
    it: 'the output of a local shell call with another id',
    rejected: {
      input: [hello, localShell, { type: 'local_shell_call_output', id: 'l2', output: '' }],
    },
    accepted: {
      input: [hello, localShell, { type: 'local_shell_call_output', id: 'a', output: '' }],
    },
    message: 'No tool call found for local shell call output',
  },
  {
    it: 'a computer call output without a screenshot',
    rejected: { input: [hello, click, { type: 'computer_call_output', call_id: 'a', output: '' }] },
    accepted: {
      input: [hello, click, { type: 'computer_call_output', call_id: 'a', output: screenshot }],
    },
    message: "Missing required parameter: 'input[2].output'",
  },
  {
    it: 'a patch without its status',
    rejected: { input: [hello, patch, patched] },
    accepted: { input: [hello, patch, { ...patched, status: 'completed' }] },
    message: "Missing required parameter: 'input[2].status'",
  },
  {
    it: 'a compaction without its content',
    rejected: { input: [{ type: 'compaction' }, hello] },
    accepted: { input: [{ type: 'compaction', encrypted_content: 'secret' }, hello] },
    message: "Missing required parameter: 'input[0].encrypted_content'",
  },
  {
    it: 'an item after a compaction trigger',
    rejected: { input: [{ type: 'compaction_trigger' }, hello] },
    accepted: { input: [hello, { type: 'compaction_trigger' }] },
    message: "'compaction_trigger' must be the final input item",
  },
  {
    it: 'a tool choice of a custom tool that the request does not list',
    rejected: { tools: [find], tool_choice: { type: 'custom', name: 'sql' } },
    accepted: {
      tools: [{ type: 'custom', name: 'sql' }],
      tool_choice: { type: 'custom', name: 'sql' },
    },
    message: "Tool choice 'sql' not found",
  },
  {
    it: 'a tool choice of a function for a custom tool',
    rejected: {
      tools: [{ type: 'custom', name: 'sql' }],
      tool_choice: { type: 'function', name: 'sql' },
    },
    accepted: { tools: [{ type: 'shell' }], tool_choice: { type: 'shell' } },
    message: "Tool choice 'sql' not found",
  },
  {
    it: 'deferred tools without tool_search',
    rejected: { tools: [deferred] },
    accepted: { tools: [hosted, deferred] },
    message: 'Deferred tools require tools.tool_search',
  },
  {
    it: 'a deferred tool in a namespace without tool_search',
    rejected: { tools: [crm] },
    accepted: { tools: [namespace('crm', tool('lookup'))] },
    message: 'Deferred tools require tools.tool_search',
  },
  {
    it: 'a hosted tool_search without deferred tools',
    rejected: { tools: [hosted, find] },
    accepted: { tools: [client, find] },
    message: 'tools.tool_search requires at least one deferred tool',
  },
  {
    it: 'tool_search on a model that is too old',
    rejected: { model: 'gpt-5.2', tools: [hosted, deferred] },
    accepted: { model: 'gpt-5.4-mini', tools: [hosted, deferred] },
    message: "Tool 'tool_search' is not supported with gpt-5.2.",
  },
  {
    it: 'a call without its output',
    rejected: { input: [hello, call('a'), call('b'), output('a')] },
    accepted: { input: [hello, call('a'), call('b'), output('b'), output('a')] },
    message: 'No tool output found for function call b.',
  },
  {
    it: 'an output without its call',
    rejected: { input: [hello, output('a')] },
    accepted: { input: [hello, output('a')], conversation: 'conv_1' },
    message: 'No tool call found for function call output with call_id a.',
  },
  {
    it: 'a client search without its output',
    rejected: { tools: [client], input: [hello, search('a')] },
    accepted: { tools: [client], input: [hello, search('a'), loaded('a')] },
    message: 'No tool output found for tool search call a.',
  },
  {
    it: 'a client search output without its search',
    rejected: { tools: [client], input: [hello, search('a'), loaded('a'), loaded('b')] },
    accepted: { tools: [client], input: [hello, search('a'), loaded('a')] },
    message: 'No tool call found for tool search output with call_id b.',
  },
  {
    it: 'a duplicate item',
    rejected: {
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
    message: 'Duplicate item found with id fc_1.',
  },
  {
    it: 'a search without arguments',
    rejected: {
      tools: [client],
      input: [hello, { ...search('a'), arguments: undefined }, loaded('a')],
    },
    accepted: { tools: [client], input: [hello, { ...search('a'), arguments: {} }, loaded('a')] },
    message: "Missing required parameter: 'input[1].arguments'.",
  },
  {
    it: 'a call whose arguments are not a string',
    rejected: { input: [hello, call('a', 'find', { arguments: {} }), output('a')] },
    accepted: { input: [hello, call('a'), output('a')] },
    message: "Invalid type for 'input[1].arguments'",
  },
  {
    it: 'a call to a namespaced tool without its namespace',
    rejected: { tools: [hosted, crm], input: [hello, call('a', 'lookup'), output('a')] },
    accepted: {
      tools: [hosted, crm],
      input: [hello, call('a', 'lookup', { namespace: 'crm' }), output('a')],
    },
    message:
      "Missing namespace for function_call 'lookup'. It does not exist in the default namespace.",
  },
  {
    it: 'a call to a found tool without the namespace named after it',
    rejected: {
      tools: [hosted, deferred],
      input: [hello, found, call('a', 'mail'), output('a')],
    },
    accepted: {
      tools: [hosted, deferred],
      input: [hello, found, call('a', 'mail', { namespace: 'mail' }), output('a')],
    },
    message: "Missing namespace for function_call 'mail'.",
  },
  {
    it: 'a call to a tool from a client search without a namespace',
    rejected: {
      tools: [client],
      input: [hello, search('a'), loaded('a', tool('mail')), call('b', 'mail'), output('b')],
    },
    accepted: {
      tools: [client],
      input: [hello, added(tool('mail')), call('b', 'mail'), output('b')],
    },
    message: "Missing namespace for function_call 'mail'.",
  },
  {
    it: 'two tools with the same name',
    rejected: { tools: [find, find] },
    accepted: { tools: [find, namespace('crm', find)] },
    message: "Duplicate tool name 'find' in tools[1]. Tool names must be unique.",
  },
  {
    it: 'two tools with the same name in a namespace',
    rejected: { tools: [namespace('crm', find, find)] },
    accepted: { tools: [namespace('crm', find), namespace('erp', find)] },
    message: "Duplicate tool name 'find' in tools[0].tools[1].",
  },
  {
    it: 'two namespaces with the same name in a list',
    rejected: { tools: [namespace('crm', find), namespace('crm', tool('add'))] },
    accepted: { tools: [namespace('crm', find, tool('add'))] },
    message: "Duplicate namespace name 'crm' in tools[1]. Namespace names must be unique.",
  },
  {
    it: 'a namespace that appears twice, with uniqueNamespaces',
    options: { uniqueNamespaces: true },
    rejected: {
      tools: [client],
      input: [hello, search('a'), loaded('a', crm), search('b'), loaded('b', crm)],
    },
    accepted: {
      tools: [client],
      input: [hello, search('a'), loaded('a', crm), search('b'), loaded('b', find)],
    },
    message: "Duplicate namespace name 'crm' in input[4].tools[0].",
  },
  {
    it: 'a name with a dot',
    rejected: { tools: [tool('a.b')] },
    accepted: { tools: [tool('a-b')] },
    message: "Invalid 'tools[0].name': string does not match pattern.",
  },
  {
    it: 'a name of 65 characters in a search output',
    rejected: { tools: [client], input: [search('a'), loaded('a', tool('a'.repeat(65)))] },
    accepted: { tools: [client], input: [search('a'), loaded('a', tool('a'.repeat(64)))] },
    message: "Invalid 'input[1].tools[0].name': string too long.",
  },
  {
    it: 'a schema that is not an object',
    rejected: { tools: [tool('find', { parameters: { type: 'string' } })] },
    accepted: { tools: [find] },
    message: "Invalid schema for function 'find'",
  },
  {
    it: 'a deferred namespace',
    rejected: { tools: [hosted, { ...crm, defer_loading: true }] },
    accepted: { tools: [hosted, crm] },
    message: "Unknown parameter: 'tools[1].defer_loading'.",
  },
  {
    it: 'an empty namespace',
    rejected: { tools: [namespace('crm')] },
    accepted: { tools: [namespace('crm', find)] },
    message: "Invalid 'tools[0].tools': empty array.",
  },
  {
    it: 'a namespace without a description',
    rejected: { tools: [{ ...namespace('crm', find), description: undefined }] },
    accepted: { tools: [namespace('crm', find)] },
    message: "Missing required parameter: 'tools[0].description'.",
  },
  {
    it: 'a tool in the format of Chat Completions',
    rejected: { tools: [{ type: 'function', function: { name: 'find' } }] },
    accepted: { tools: [find] },
    message: "Unknown parameter: 'tools[0].function'.",
  },
  {
    it: 'an unknown field',
    rejected: { messages: [hello] },
    accepted: { metadata: { messages: 'x' } },
    message: "Unknown parameter: 'messages'.",
  },
  {
    it: 'allowed_tools with a deferred tool',
    rejected: { tools: [hosted, find, deferred], ...allowed({ type: 'function', name: 'mail' }) },
    accepted: { tools: [hosted, find, deferred], ...allowed({ type: 'function', name: 'find' }) },
    message: "Tool choice 'mail' not found in 'tools' parameter.",
  },
  {
    it: 'allowed_tools with a tool in a namespace',
    rejected: { tools: [namespace('crm', find)], ...allowed({ type: 'function', name: 'find' }) },
    accepted: { tools: [find], ...allowed({ type: 'function', name: 'find' }) },
    message: "Tool choice 'find' not found",
  },
  {
    it: 'allowed_tools with the search tool',
    rejected: { tools: [client, find], ...allowed({ type: 'tool_search' }) },
    accepted: { tools: [client, find], ...allowed({ type: 'function', name: 'find' }) },
    message: "Tool choice 'tool_search' not found",
  },
  {
    it: 'a tool_choice with an unknown function',
    rejected: { tools: [find], tool_choice: { type: 'function', name: 'mail' } },
    accepted: {
      tools: [find],
      tool_choice: { type: 'function', name: 'mail' },
      input: [hello, added(tool('mail'))],
    },
    message: "Tool choice 'mail' not found",
  },
  {
    it: 'additional_tools with a role other than developer',
    rejected: { input: [hello, { ...added(find), role: 'user' }] },
    accepted: { input: [hello, added(find)] },
    message: "Invalid value: 'user'. Supported values are: 'developer'.",
  },
  {
    it: 'a field that the endpoint does not support',
    options: { rejects: ['defer_loading'] },
    rejected: { tools: [hosted, deferred] },
    accepted: {
      tools: [tool('find', { parameters: { ...parameters, properties: { defer_loading: {} } } })],
    },
    message: "Unknown parameter: 'tools[1].defer_loading'.",
  },
  {
    it: 'an item that the endpoint does not support',
    options: { rejects: ['additional_tools'] },
    rejected: { input: [hello, added(find)] },
    accepted: { input: [{ role: 'user', content: 'additional_tools' }] },
    message: "Invalid value: 'additional_tools'.",
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: OpenaiResponsesOptions = {}, replies: Reply[] = []) => {
  server = inProcessServer({ service: openaiResponses(options), replies })
  return new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
}
const base = { model: 'gpt-5.6', input: 'Hello' }

it.each(cases)('rejects $it', async ({ rejected, accepted, message, options }) => {
  const api = await start(options)
  const send = (request: object) => api.responses.create({ ...base, ...request } as never)
  const error = await send(rejected).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect((error as Error).message).toContain(message)
  expect(server!.requests[0]?.problem?.status).toBe(400)
  await expect(send(accepted)).resolves.toMatchObject({ output_text: 'Done.' })
})

it('requires an API key', async () => {
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
  'returns the same response for %s, streamed or not',
  async (_, request, reply, is) => {
    const api = await start({}, [reply, reply])
    const params = { ...base, ...request } as never
    const complete = await api.responses.create(params)
    const streamed = await api.responses.stream(params).finalResponse()
    expect(complete.output).toMatchObject(is)
    expect(withoutIds(streamed.output)).toEqual(withoutIds(complete.output))
    expect(streamed.usage).toEqual(complete.usage)
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

it.each(replies.slice(1, 3))('accepts %s in the history', async (_, request, reply) => {
  const api = await start({}, [reply])
  const first = await api.responses.create({ ...base, ...request } as never)
  const calls = first.output.filter((item) => item.type === 'function_call')
  const input = [hello, ...first.output, ...calls.map((item) => output(item.call_id))]
  const second = await api.responses.create({ ...base, ...request, input } as never)
  expect(second.output_text).toBe('Done.')
})

it('continues a stored response', async () => {
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

it('resolves references to stored items', async () => {
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

it('stores nothing with store: false', async () => {
  const api = await start()
  const first = await api.responses.create({ ...base, store: false } as never)
  const next = api.responses.create({ ...base, previous_response_id: first.id } as never)
  await expect(next).rejects.toThrow(`Previous response with id '${first.id}' not found.`)
})

it.each([
  ['a hosted search', { search: { found: ['mail'] } }, { tools: [client] }],
  ['a client search', { clientSearch: { arguments: {} } }, { tools: [hosted, deferred] }],
])(
  'responds with an error if the script contains %s that the request does not allow',
  async (_, reply, request) => {
    const api = await start({}, [reply])
    const sent = api.responses.create({ ...base, ...request } as never)
    await expect(sent).rejects.toThrow(/does not declare|cannot call "tool_search"/)
    expect(takeScriptErrors()).toHaveLength(1)
  },
)

describe('promptOf', () => {
  const { promptOf } = openaiResponses()

  it('keeps its prefix when items add tools', () => {
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

  it('contains names and descriptions of deferred tools, but not their parameters', () => {
    const prompt = promptOf({ tools: [hosted, deferred, crm], input: 'Hello' })
    expect(prompt.join()).toContain('Sends mail')
    expect(prompt.join()).toContain('Customers')
    expect(prompt.join()).not.toContain('properties')
    expect(prompt.join()).not.toContain('lookup')
  })

  it('has a different prefix after a tool is added to the list', () => {
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

describe('a compaction', () => {
  it('replaces everything before it in the prompt', () => {
    const compaction = { type: 'compaction', encrypted_content: 'secret' }
    const input = [
      hello,
      search('a'),
      loaded('a', deferred),
      compaction,
      { ...hello, content: 'B' },
    ]
    const prompt = openaiResponses()
      .promptOf({ tools: [find, client], input })
      .join()
    expect(prompt).toContain('secret')
    expect(prompt).not.toContain('Hello')
    expect(prompt).not.toContain('Sends mail')
  })
})
