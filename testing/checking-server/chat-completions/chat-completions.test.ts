import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Reply } from '../reply.ts'
import { type CheckingServer, startCheckingServer } from '../start-checking-server.ts'
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
const asked = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls })
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'ok' })
const choose = (name: string) => ({ tool_choice: { type: 'function', function: { name } } })
const allow = (name: string) => ({
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name } }] },
  },
})

interface Case {
  it: string
  refused: object
  accepted: object
  says: string
  options?: ChatCompletionsOptions
}

const cases: Case[] = [
  {
    it: 'a call that is not answered',
    refused: { messages: [hello, asked(call('a'), call('b')), result('a'), hello] },
    accepted: { messages: [hello, asked(call('a'), call('b')), result('b'), result('a'), hello] },
    says: 'The following tool_call_ids did not have response messages: b',
  },
  {
    it: 'a call that ends the messages',
    refused: { messages: [hello, asked(call('a'))] },
    accepted: { messages: [hello, asked(call('a')), result('a')] },
    says: "An assistant message with 'tool_calls' must be followed by tool messages",
  },
  {
    it: 'a message between a call and its answer',
    refused: { messages: [hello, asked(call('a')), hello, result('a')] },
    accepted: { messages: [hello, asked(call('a')), result('a'), hello] },
    says: 'did not have response messages: a',
  },
  {
    it: 'an answer without a call',
    refused: { messages: [hello, result('a')] },
    accepted: { messages: [hello, asked(call('a')), result('a')] },
    says: "must be a response to a preceeding message with 'tool_calls'",
  },
  {
    it: 'an answer to another call',
    refused: { messages: [hello, asked(call('a')), result('b')] },
    accepted: { messages: [hello, asked(call('b')), result('b')] },
    says: "'tool_call_id' of 'b' not found in 'tool_calls' of previous message",
  },
  {
    it: 'an empty list of calls',
    refused: { messages: [hello, { ...asked(), content: 'x' }] },
    accepted: { messages: [hello, { role: 'assistant', content: 'x' }] },
    says: "Invalid 'messages[1].tool_calls': empty array.",
  },
  {
    it: 'a message that says nothing',
    refused: { messages: [hello, { role: 'assistant', content: null }] },
    accepted: { messages: [hello, { role: 'assistant', content: '' }] },
    says: "Invalid value for 'content': expected a string, got null.",
  },
  {
    it: 'arguments that are no string',
    refused: { messages: [hello, asked(call('a', 'find', { arguments: {} })), result('a')] },
    accepted: { messages: [hello, asked(call('a', 'find')), result('a')] },
    says: "Invalid type for 'messages[1].tool_calls[0].function.arguments'",
  },
  {
    it: 'a call by a name with a dot',
    refused: { messages: [hello, asked(call('a', 'a.b')), result('a')] },
    accepted: { messages: [hello, asked(call('a', 'a_b')), result('a')] },
    says: "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern.",
  },
  {
    it: 'a name with a dot',
    refused: { tools: [tool('a.b')] },
    accepted: { tools: [tool('a_b')] },
    says: "Invalid 'tools[0].function.name': string does not match pattern.",
  },
  {
    it: 'a name of 65 characters',
    refused: { tools: [tool('a'.repeat(65))] },
    accepted: { tools: [tool('a'.repeat(64))] },
    says: 'maximum length 64, but got a string with length 65',
  },
  {
    it: 'a name longer than the endpoint takes',
    options: { maxNameLength: 32 },
    refused: { tools: [tool('a'.repeat(33))] },
    accepted: { tools: [tool('a'.repeat(32))] },
    says: 'maximum length 32',
  },
  {
    it: 'two tools of one name',
    refused: { tools: [find, find] },
    accepted: { tools: [find, tool('mail')] },
    says: 'Tool names must be unique.',
  },
  {
    it: 'an empty list of tools',
    refused: { tools: [] },
    accepted: { tools: undefined },
    says: "Invalid 'tools': empty array.",
  },
  {
    it: 'more than 128 tools',
    refused: { tools: many(129) },
    accepted: { tools: many(128) },
    says: 'maximum length 128, but got an array with length 129',
  },
  {
    it: 'more tools than the endpoint takes',
    options: { maxTools: 3 },
    refused: { tools: many(4) },
    accepted: { tools: many(3) },
    says: 'maximum length 3,',
  },
  {
    it: 'a deferred tool',
    refused: { tools: [{ ...find, defer_loading: true }] },
    accepted: { tools: [tool('find', { strict: true })] },
    says: "Unknown parameter: 'tools[0].defer_loading'.",
  },
  {
    it: 'a deferred function',
    refused: { tools: [tool('find', { defer_loading: true })] },
    accepted: { tools: [find] },
    says: "Unknown parameter: 'tools[0].function.defer_loading'.",
  },
  {
    it: 'a tool in the form of Responses',
    refused: { tools: [{ type: 'function', name: 'find' }] },
    accepted: { tools: [find] },
    says: "Missing required parameter: 'tools[0].function'.",
  },
  {
    it: 'a schema that is no object',
    refused: { tools: [tool('find', { parameters: {} })] },
    accepted: { tools: [tool('find', { parameters: undefined })] },
    says: "Invalid schema for function 'find'",
  },
  {
    it: 'a choice of an unknown function',
    refused: { tools: [find], ...choose('mail') },
    accepted: { tools: [find], ...choose('find') },
    says: "Tool choice 'mail' not found",
  },
  {
    it: 'a choice among tools that names an unknown one',
    refused: { tools: [find], ...allow('mail') },
    accepted: { tools: [find], ...allow('find') },
    says: "Tool choice 'mail' not found",
  },
  {
    it: 'a choice without tools',
    refused: { tool_choice: 'auto' },
    accepted: { tool_choice: 'auto', tools: [find] },
    says: "'tool_choice' is only allowed when 'tools' are specified.",
  },
  {
    it: 'a field the endpoint does not know',
    options: { rejects: ['strict'] },
    refused: { tools: [tool('find', { strict: false })] },
    accepted: { tools: [tool('find', { parameters: { ...parameters, strict: true } })] },
    says: "Unknown parameter: 'tools[0].function.strict'.",
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: ChatCompletionsOptions = {}, replies: Reply[] = []) => {
  server = await startCheckingServer({ service: chatCompletions(options), replies })
  return new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
}
const base = { model: 'gpt-5.6', messages: [hello] }

it.each(cases)('refuses $it', async ({ refused, accepted, says, options }) => {
  const api = await start(options)
  const send = (request: object) => api.chat.completions.create({ ...base, ...request } as never)
  const error = await send(refused).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect((error as Error).message).toContain(says)
  expect(server!.requests[0]?.problem?.status).toBe(400)
  await expect(send(accepted)).resolves.toMatchObject({ choices: [{ finish_reason: 'stop' }] })
})

it('wants a key', async () => {
  await start()
  const path = '/v1/chat/completions'
  const response = await fetch(`${server!.url}${path}`, { method: 'POST', body: '{"a":1}' })
  expect(response.status).toBe(401)
})

it('serves other base paths', async () => {
  await start()
  const api = new OpenAI({ apiKey: 'k', baseURL: `${server!.url}/api/paas/v4`, maxRetries: 0 })
  await expect(api.chat.completions.create(base as never)).resolves.toBeDefined()
})

it.each<[string, Reply, object]>([
  ['a text', { text: 'Hello there' }, { content: 'Hello there' }],
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
])('streams %s to the same completion as the whole form', async (_, reply, is) => {
  const api = await start({}, [reply, reply])
  const params = { ...base, tools: [find] } as never
  const whole = await api.chat.completions.create(params)
  const stream = api.chat.completions.stream({
    ...(params as object),
    stream_options: { include_usage: true },
  } as never)
  let chunks = 0
  stream.on('chunk', () => {
    chunks += 1
  })
  const streamed = await stream.finalChatCompletion()
  expect(whole.choices[0]?.message).toMatchObject(is)
  expect(plain(streamed.choices)).toEqual(plain(whole.choices))
  expect(streamed.usage).toEqual(whole.usage)
  expect(chunks).toBeGreaterThan(4)
})

it('accepts its own calls when they are sent back', async () => {
  const api = await start({}, [{ calls: [{ name: 'find', arguments: {} }] }])
  const first = await api.chat.completions.create({ ...base, tools: [find] } as never)
  const { message } = first.choices[0]!
  const messages = [hello, message, result(message.tool_calls![0]!.id)]
  const second = await api.chat.completions.create({ ...base, tools: [find], messages } as never)
  expect(second.choices[0]?.message.content).toBe('Done.')
})

it('says so when the script asks for a search', async () => {
  const api = await start({}, [{ search: { found: ['mail'] } }])
  const sent = api.chat.completions.create(base as never)
  await expect(sent).rejects.toThrow('has no search of its own')
})

describe('promptOf', () => {
  const { promptOf } = chatCompletions()

  it('reads tools before messages, so that a new tool breaks the prefix', () => {
    const before = promptOf({ tools: [find], messages: [hello] })
    const longer = promptOf({ tools: [find], messages: [hello, hello] })
    const grown = promptOf({ tools: [find, tool('mail')], messages: [hello, hello] })
    expect(longer.slice(0, before.length)).toEqual(before)
    expect(grown.slice(0, before.length)).not.toEqual(before)
  })
})

// the stream helper adds what it has parsed
function plain(choices: unknown): unknown {
  return JSON.parse(
    JSON.stringify(choices, (key, value) => (key.startsWith('parsed') ? undefined : value)),
  )
}
