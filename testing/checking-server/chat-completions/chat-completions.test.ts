import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { inProcessServer } from '../in-process-server.ts'
import type { Reply } from '../reply.ts'
import { takeScriptErrors } from '../script-errors.ts'
import type { CheckingServer } from '../start-checking-server.ts'
import { type ChatCompletionsOptions, chatCompletions } from './chat-completions.ts'

const parameters = { type: 'object', properties: {} }
const tool = (name: string, more: object = {}) => ({
  type: 'function',
  function: { name, parameters, ...more },
})
const find = tool('find')
const many = (length: number) => Array.from({ length }, (_, index) => tool(`t${index}`))
const hello = { role: 'user', content: 'Hello' }
const call = (id: string, name = 'find', more: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: '{}', ...more },
})
const assistant = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls })
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'ok' })
const deferred = (name: string) => ({ ...tool(name), defer_loading: true })
const references = (tool_call_id: string, name: string, ...more: object[]) => ({
  role: 'tool',
  tool_call_id,
  content: [{ type: 'tool_reference', name }, ...more],
})
const choose = (name: string) => ({ tool_choice: { type: 'function', function: { name } } })
const allow = (name: string) => ({
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name } }] },
  },
})

interface Case {
  it: string
  rejected: object
  accepted: object
  message: string
  options?: ChatCompletionsOptions
}

const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const user = (...content: object[]) => ({ role: 'user', content })
const file = (type: string) => ({
  type: 'file',
  file: { filename: 'a', file_data: `data:${type};base64,JVBERi0=` },
})

const cases: Case[] = [
  {
    it: 'an image in a tool message',
    rejected: { messages: [hello, assistant(call('a')), { ...result('a'), content: [png] }] },
    accepted: { messages: [hello, assistant(call('a')), result('a'), user(png)] },
    message: "'image_url' is only allowed for messages with role 'user'",
  },
  {
    it: 'a user message between two results',
    rejected: {
      messages: [hello, assistant(call('a'), call('b')), result('a'), user(png), result('b')],
    },
    accepted: {
      messages: [hello, assistant(call('a'), call('b')), result('a'), result('b'), user(png)],
    },
    message: 'did not have response messages: b',
  },
  {
    it: 'a file that is not a PDF',
    rejected: { messages: [user(file('application/zip'))] },
    accepted: { messages: [user(file('application/pdf'))] },
    message: 'the file is not supported',
  },
  {
    it: 'audio in an unknown format',
    rejected: {
      messages: [user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } })],
    },
    accepted: {
      messages: [user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })],
    },
    message: 'the audio is not supported',
  },
  {
    it: 'an unanswered call',
    rejected: { messages: [hello, assistant(call('a'), call('b')), result('a'), hello] },
    accepted: {
      messages: [hello, assistant(call('a'), call('b')), result('b'), result('a'), hello],
    },
    message: 'The following tool_call_ids did not have response messages: b',
  },
  {
    it: 'a call at the end of the messages',
    rejected: { messages: [hello, assistant(call('a'))] },
    accepted: { messages: [hello, assistant(call('a')), result('a')] },
    message: "An assistant message with 'tool_calls' must be followed by tool messages",
  },
  {
    it: 'a message between a call and its answer',
    rejected: { messages: [hello, assistant(call('a')), hello, result('a')] },
    accepted: { messages: [hello, assistant(call('a')), result('a'), hello] },
    message: 'did not have response messages: a',
  },
  {
    it: 'an answer without a call',
    rejected: { messages: [hello, result('a')] },
    accepted: { messages: [hello, assistant(call('a')), result('a')] },
    message: "must be a response to a preceeding message with 'tool_calls'",
  },
  {
    it: 'an answer with the id of another call',
    rejected: { messages: [hello, assistant(call('a')), result('b')] },
    accepted: { messages: [hello, assistant(call('b')), result('b')] },
    message: "'tool_call_id' of 'b' not found in 'tool_calls' of previous message",
  },
  {
    it: 'an empty list of calls',
    rejected: { messages: [hello, { ...assistant(), content: 'x' }] },
    accepted: { messages: [hello, { role: 'assistant', content: 'x' }] },
    message: "Invalid 'messages[1].tool_calls': empty array.",
  },
  {
    it: 'a message without content',
    rejected: { messages: [hello, { role: 'assistant', content: null }] },
    accepted: { messages: [hello, { role: 'assistant', content: '' }] },
    message: "Invalid value for 'content': expected a string, got null.",
  },
  {
    it: 'arguments that are not a string',
    rejected: { messages: [hello, assistant(call('a', 'find', { arguments: {} })), result('a')] },
    accepted: { messages: [hello, assistant(call('a', 'find')), result('a')] },
    message: "Invalid type for 'messages[1].tool_calls[0].function.arguments'",
  },
  {
    it: 'a call with a dot in the name',
    rejected: { messages: [hello, assistant(call('a', 'a.b')), result('a')] },
    accepted: { messages: [hello, assistant(call('a', 'a_b')), result('a')] },
    message: "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern.",
  },
  {
    it: 'a name with a dot',
    rejected: { tools: [tool('a.b')] },
    accepted: { tools: [tool('a_b')] },
    message: "Invalid 'tools[0].function.name': string does not match pattern.",
  },
  {
    it: 'a name of 65 characters',
    rejected: { tools: [tool('a'.repeat(65))] },
    accepted: { tools: [tool('a'.repeat(64))] },
    message: 'maximum length 64, but got a string with length 65',
  },
  {
    it: 'a name that is too long for the endpoint',
    options: { maxNameLength: 32 },
    rejected: { tools: [tool('a'.repeat(33))] },
    accepted: { tools: [tool('a'.repeat(32))] },
    message: 'maximum length 32',
  },
  {
    it: 'two tools with the same name',
    rejected: { tools: [find, find] },
    accepted: { tools: [find, tool('mail')] },
    message: 'Tool names must be unique.',
  },
  {
    it: 'an empty list of tools',
    rejected: { tools: [] },
    accepted: { tools: undefined },
    message: "Invalid 'tools': empty array.",
  },
  {
    it: 'more than 128 tools',
    rejected: { tools: many(129) },
    accepted: { tools: many(128) },
    message: 'maximum length 128, but got an array with length 129',
  },
  {
    it: 'too many tools for the endpoint',
    options: { maxTools: 3 },
    rejected: { tools: many(4) },
    accepted: { tools: many(3) },
    message: 'maximum length 3,',
  },
  {
    it: 'a deferred tool',
    rejected: { tools: [{ ...find, defer_loading: true }] },
    accepted: { tools: [tool('find', { strict: false })] },
    message: "Unknown parameter: 'tools[0].defer_loading'.",
  },
  {
    it: 'a deferred function',
    rejected: { tools: [tool('find', { defer_loading: true })] },
    accepted: { tools: [find] },
    message: "Unknown parameter: 'tools[0].function.defer_loading'.",
  },
  {
    it: 'the search of another endpoint',
    rejected: { tools: [find, { type: 'openrouter:tool_search' }] },
    accepted: { tools: [find, { type: 'custom', custom: { name: 'sql' } }] },
    message: "Invalid value: 'openrouter:tool_search'.",
  },
  {
    it: 'a reference to a tool',
    rejected: { tools: [find], messages: [hello, assistant(call('a')), references('a', 'find')] },
    accepted: { tools: [find], messages: [hello, assistant(call('a')), result('a')] },
    message: "Invalid value: 'tool_reference'.",
  },
  {
    it: 'a reference to a tool that the request does not declare',
    options: { deferral: 'reference' },
    rejected: {
      tools: [find, deferred('mail')],
      messages: [hello, assistant(call('a')), references('a', 'gone')],
    },
    accepted: {
      tools: [find, deferred('mail')],
      messages: [hello, assistant(call('a')), references('a', 'mail')],
    },
    message: "tool_reference 'gone' not found in available tools.",
  },
  {
    it: 'a result with references and text',
    options: { deferral: 'reference' },
    rejected: {
      tools: [find],
      messages: [hello, assistant(call('a')), references('a', 'find', { type: 'text', text: 'x' })],
    },
    accepted: { tools: [find], messages: [hello, assistant(call('a')), references('a', 'find')] },
    message: 'A result with tool_reference parts must contain nothing else.',
  },
  {
    it: 'a deferred tool without the hosted search',
    options: { deferral: 'hosted' },
    rejected: { tools: [find, deferred('mail')] },
    accepted: { tools: [{ type: 'openrouter:tool_search' }, find, deferred('mail')] },
    message: 'defer_loading requires the openrouter:tool_search tool.',
  },
  {
    it: 'a hosted search that is deferred',
    options: { deferral: 'hosted' },
    rejected: { tools: [{ type: 'openrouter:tool_search', defer_loading: true }, find] },
    accepted: { tools: [{ type: 'openrouter:tool_search' }, find] },
    message: 'openrouter:tool_search cannot be deferred.',
  },
  {
    it: 'a tool in the format of the Responses API',
    rejected: { tools: [{ type: 'function', name: 'find' }] },
    accepted: { tools: [find] },
    message: "Missing required parameter: 'tools[0].function'.",
  },
  {
    it: 'a schema that is not an object',
    rejected: { tools: [tool('find', { parameters: {} })] },
    accepted: { tools: [tool('find', { parameters: undefined })] },
    message: "Invalid schema for function 'find'",
  },
  {
    it: 'a tool_choice with an unknown function',
    rejected: { tools: [find], ...choose('mail') },
    accepted: { tools: [find], ...choose('find') },
    message: "Tool choice 'mail' not found",
  },
  {
    it: 'allowed_tools with an unknown function',
    rejected: { tools: [find], ...allow('mail') },
    accepted: { tools: [find], ...allow('find') },
    message: "Tool choice 'mail' not found",
  },
  {
    it: 'a tool_choice without tools',
    rejected: { tool_choice: 'auto' },
    accepted: { tool_choice: 'auto', tools: [find] },
    message: "'tool_choice' is only allowed when 'tools' are specified.",
  },
  {
    it: 'a field that the endpoint does not support',
    options: { rejects: ['strict'] },
    rejected: { tools: [tool('find', { strict: false })] },
    accepted: { tools: [tool('find', { parameters: { ...parameters, strict: true } })] },
    message: "Unknown parameter: 'tools[0].function.strict'.",
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: ChatCompletionsOptions = {}, replies: Reply[] = []) => {
  server = inProcessServer({ service: chatCompletions(options), replies })
  return new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
}
const base = { model: 'gpt-5.6', messages: [hello] }

it.each(cases)('rejects $it', async ({ rejected, accepted, message, options }) => {
  const api = await start(options)
  const send = (request: object) => api.chat.completions.create({ ...base, ...request } as never)
  const error = await send(rejected).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect((error as Error).message).toContain(message)
  expect(server!.requests[0]?.problem?.status).toBe(400)
  await expect(send(accepted)).resolves.toMatchObject({ choices: [{ finish_reason: 'stop' }] })
})

it('requires an API key', async () => {
  await start()
  const path = '/v1/chat/completions'
  const response = await fetch(`${server!.url}${path}`, { method: 'POST', body: '{"a":1}' })
  expect(response.status).toBe(401)
})

it('accepts requests under any base path', async () => {
  await start()
  const api = new OpenAI({ apiKey: 'k', baseURL: `${server!.url}/api/paas/v4`, maxRetries: 0 })
  await expect(api.chat.completions.create(base as never)).resolves.toBeDefined()
})

it.each<[string, Reply, object]>([
  ['text', { text: 'Hello there' }, { content: 'Hello there' }],
  [
    'text and calls',
    {
      text: 'One moment',
      calls: [
        { id: 'a', name: 'find', arguments: { query: 'mail' } },
        { id: 'b', name: 'find', arguments: { query: 'chat' } },
      ],
    },
    {
      content: 'One moment',
      tool_calls: [
        { id: 'a', function: { name: 'find', arguments: '{"query":"mail"}' } },
        { id: 'b', function: { name: 'find', arguments: '{"query":"chat"}' } },
      ],
    },
  ],
])('returns the same completion for %s, streamed or not', async (_, reply, is) => {
  const api = await start({}, [reply, reply])
  const params = { ...base, tools: [find] } as never
  const complete = await api.chat.completions.create(params)
  const stream = api.chat.completions.stream({
    ...(params as object),
    stream_options: { include_usage: true },
  } as never)
  let chunks = 0
  stream.on('chunk', () => {
    chunks += 1
  })
  const streamed = await stream.finalChatCompletion()
  expect(complete.choices[0]?.message).toMatchObject(is)
  expect(plain(streamed.choices)).toEqual(plain(complete.choices))
  expect(streamed.usage).toEqual(complete.usage)
  expect(chunks).toBeGreaterThan(4)
})

it('accepts its own calls in the history', async () => {
  const api = await start({}, [{ calls: [{ name: 'find', arguments: {} }] }])
  const first = await api.chat.completions.create({ ...base, tools: [find] } as never)
  const { message } = first.choices[0]!
  const messages = [hello, message, result(message.tool_calls![0]!.id)]
  const second = await api.chat.completions.create({ ...base, tools: [find], messages } as never)
  expect(second.choices[0]?.message.content).toBe('Done.')
})

it('runs a hosted search that leaves no trace in the reply', async () => {
  const search: Reply = { search: { found: ['mail'] }, calls: [{ name: 'mail', arguments: {} }] }
  const api = await start({ deferral: 'hosted' }, [search, { search: { found: ['find'] } }])
  const tools = [{ type: 'openrouter:tool_search' }, find, deferred('mail')]
  const reply = await api.chat.completions.create({ ...base, tools } as never)
  expect(reply.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'mail' } }])
  const impossible = api.chat.completions.create({ ...base, tools } as never)
  await expect(impossible).rejects.toThrow('The search cannot find "find": it is not deferred.')
  expect(takeScriptErrors()).toHaveLength(1)
})

it('responds with an error if the script contains a search', async () => {
  const api = await start({}, [{ search: { found: ['mail'] } }])
  const sent = api.chat.completions.create(base as never)
  await expect(sent).rejects.toThrow('has no search of its own')
  expect(takeScriptErrors()).toHaveLength(1)
})

describe('promptOf', () => {
  const { promptOf } = chatCompletions()

  it('starts with the tools, so a new tool changes the prefix', () => {
    const before = promptOf({ tools: [find], messages: [hello] })
    const longer = promptOf({ tools: [find], messages: [hello, hello] })
    const grown = promptOf({ tools: [find, tool('mail')], messages: [hello, hello] })
    expect(longer.slice(0, before.length)).toEqual(before)
    expect(grown.slice(0, before.length)).not.toEqual(before)
  })

  it('leaves deferred tools out until a message refers to them', () => {
    const tools = [find, deferred('mail')]
    const messages = [hello, assistant(call('a')), references('a', 'mail')]
    const before = promptOf({ tools, messages: messages.slice(0, 2) })
    const after = promptOf({ tools, messages })
    expect(before.join()).not.toContain('mail')
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.at(-1)).toContain('"name":"mail","parameters"')
  })
})

// The stream helper adds parsed values.
function plain(choices: unknown): unknown {
  return JSON.parse(
    JSON.stringify(choices, (key, value) => (key.startsWith('parsed') ? undefined : value)),
  )
}
