import { ApiError, GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import { inProcessServer } from '../in-process-server.ts'
import type { Reply } from '../reply.ts'
import { takeScriptErrors } from '../script-errors.ts'
import type { CheckingServer } from '../start-checking-server.ts'
import { type GeminiOptions, gemini } from './gemini.ts'

const schema = { type: 'object', properties: { query: { type: 'string' } } }
const declare = (name: string, more: object = {}) => ({
  name,
  parametersJsonSchema: schema,
  ...more,
})
const tools = (...functionDeclarations: object[]) => ({ tools: [{ functionDeclarations }] })
const many = (length: number) => Array.from({ length }, (_, index) => declare(`t${index}`))
const user = (...parts: object[]) => ({ role: 'user', parts })
const model = (...parts: object[]) => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const hello = user(text('Hello'))
const call = (name = 'find') => ({ functionCall: { name, args: {} } })
const signed = () => ({ ...call(), thoughtSignature: 'c2lnbmVk' })
const response = (name = 'find') => ({ functionResponse: { name, response: { output: 1 } } })
const config = (mode: string, ...allowedFunctionNames: string[]) => ({
  toolConfig: { functionCallingConfig: { mode, allowedFunctionNames } },
})

interface Case {
  it: string
  rejected: { contents?: unknown; config?: object }
  accepted: { contents?: unknown; config?: object }
  message: string
  options?: GeminiOptions
}

const inline = (mimeType: string, data = 'iVBORw0KGgo=') => ({ inlineData: { mimeType, data } })
const nested = (...parts: object[]) => ({
  functionResponse: { name: 'find', response: { output: 1 }, parts },
})
const answered = (...parts: object[]) => ({ contents: [hello, model(call()), user(...parts)] })

const cases: Case[] = [
  {
    it: 'media next to a function response',
    rejected: answered(response(), inline('image/png')),
    accepted: { contents: [hello, model(call()), user(response()), user(inline('image/png'))] },
    message: 'contains only function response parts',
  },
  {
    it: 'audio inside a function response',
    rejected: answered(nested(inline('audio/wav'))),
    accepted: answered(nested(inline('image/png'))),
    message: 'Unsupported MIME type: audio/wav',
  },
  {
    it: 'text inside the media of a function response',
    rejected: answered(nested(text('x'))),
    accepted: answered(nested(inline('application/pdf'))),
    message: 'Unknown name \\"text\\"',
  },
  {
    it: 'media inside a function response of an older model',
    options: { nestsMedia: false },
    rejected: answered(nested(inline('image/png'))),
    accepted: { contents: [hello, model(call()), user(response()), user(inline('image/png'))] },
    message: 'Multimodal function responses are not supported',
  },
  {
    it: 'data that is not base64',
    rejected: { contents: [user(inline('image/png', 'a-_'))] },
    accepted: { contents: [user(inline('image/png', 'a+/='))] },
    message: 'Base64 decoding failed',
  },
  {
    it: 'more than 512 functions',
    rejected: { config: tools(...many(513)) },
    accepted: { config: tools(...many(512)) },
    message: 'At most 512 function declarations can be specified.',
  },
  {
    it: 'more than 512 functions in several tools',
    rejected: {
      config: { tools: [...tools(...many(512)).tools, ...tools(declare('find')).tools] },
    },
    accepted: {
      config: { tools: [...tools(...many(511)).tools, ...tools(declare('find')).tools] },
    },
    message: 'tools[1].function_declarations: [FIELD_INVALID] At most 512',
  },
  {
    it: 'a name that starts with a digit',
    rejected: { config: tools(declare('1a')) },
    accepted: { config: tools(declare('_1a.b:c-d')) },
    message: 'tools[0].function_declarations[0].name: [FIELD_INVALID] Invalid function name.',
  },
  {
    it: 'a name of 129 characters',
    rejected: { config: tools(declare('a'.repeat(129))) },
    accepted: { config: tools(declare('a'.repeat(128))) },
    message: 'Invalid function name.',
  },
  {
    it: 'a function with two schemas',
    rejected: { config: tools(declare('find', { parameters: { type: 'OBJECT' } })) },
    accepted: { config: tools({ name: 'find', parameters: { type: 'OBJECT' } }) },
    message: 'Only one of `parameters` and `parameters_json_schema`',
  },
  {
    it: 'two functions with the same name',
    rejected: { config: tools(declare('find'), declare('find')) },
    accepted: { config: tools(declare('find'), declare('Find')) },
    message: 'Duplicate function declaration found: find',
  },
  {
    it: 'a deferred function',
    rejected: { config: tools(declare('find', { defer_loading: true })) },
    accepted: { config: tools(declare('find', { description: 'defer_loading' })) },
    message: 'Unknown name \\"defer_loading\\"',
  },
  {
    it: 'fewer responses than calls',
    rejected: { contents: [hello, model(call(), call('mail')), user(response())] },
    accepted: {
      contents: [hello, model(call(), call('mail')), user(response('mail'), response())],
    },
    message: 'number of function response parts is equal to the number of function call parts',
  },
  {
    it: 'a call without a response',
    rejected: { contents: [hello, model(call()), hello] },
    accepted: { contents: [hello, model(call()), user(response()), hello] },
    message: 'number of function response parts',
  },
  {
    it: 'a response with a different name',
    rejected: { contents: [hello, model(call()), user(response('mail'))] },
    accepted: { contents: [hello, model(call('mail')), user(response('mail'))] },
    message: 'each function response has the name of its function call: find',
  },
  {
    it: 'a response without a call',
    rejected: { contents: [hello, model(text('x')), user(response())] },
    accepted: { contents: [hello, model(text('x'), call()), user(response())] },
    message: 'function response turn comes immediately after a function call turn',
  },
  {
    it: 'a call after another model content',
    rejected: { contents: [hello, model(text('x')), model(call()), user(response())] },
    accepted: {
      contents: [hello, model(call()), user(response()), model(call()), user(response())],
    },
    message:
      'function call turn comes immediately after a user turn or after a function response turn',
  },
  {
    it: 'a call of the current turn without a thought signature',
    options: { signatures: true },
    rejected: { contents: [hello, model(call(), signed()), user(response(), response())] },
    accepted: {
      contents: [
        ...[hello, model(call()), user(response())],
        ...[hello, model(text('x'), signed(), call()), user(response(), response())],
      ],
    },
    message: 'Function call is missing a thought_signature in functionCall parts.',
  },
  {
    it: 'an allowed function that is not declared',
    rejected: { config: { ...tools(declare('find')), ...config('ANY', 'mail') } },
    accepted: { config: { ...tools(declare('find')), ...config('ANY', 'find') } },
    message: "allowed_function_names contains 'mail'",
  },
  {
    it: 'allowed names in a mode without restrictions',
    rejected: { config: { ...tools(declare('find')), ...config('AUTO', 'find') } },
    accepted: { config: { ...tools(declare('find')), ...config('VALIDATED', 'find') } },
    message: 'only when function calling mode is ANY or VALIDATED',
  },
  {
    it: 'an unknown role',
    rejected: { contents: [hello, { role: 'function', parts: [text('x')] }] },
    accepted: { contents: [hello, user(text('x'))] },
    message: 'Please use a valid role: user, model.',
  },
  {
    it: 'a content without parts',
    rejected: { contents: [hello, user()] },
    accepted: { contents: [hello, user(text('x'))] },
    message: 'contents[1].parts: contents.parts must not be empty.',
  },
  {
    it: 'an empty part',
    rejected: { contents: [user({})] },
    accepted: { contents: [user(text('x'))] },
    message: "required oneof field 'data' must have one initialized field",
  },
  {
    it: 'a field that the endpoint does not support',
    options: { rejects: ['parametersJsonSchema'] },
    rejected: { config: tools(declare('find')) },
    accepted: { config: tools({ name: 'find', parameters: { type: 'OBJECT' } }) },
    message: 'Unknown name \\"parametersJsonSchema\\"',
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: GeminiOptions = {}, replies: Reply[] = []) => {
  server = inProcessServer({ service: gemini(options), replies })
  return new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } })
}
const base = { model: 'gemini-3-pro', contents: [hello] }

it.each(cases)('rejects $it', async ({ rejected, accepted, message, options }) => {
  const api = await start(options)
  const send = (request: object) => api.models.generateContent({ ...base, ...request } as never)
  const error = await send(rejected).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).status).toBe(400)
  expect((error as ApiError).message).toContain(message)
  expect(server!.requests[0]?.problem?.status).toBe(400)
  await expect(send(accepted)).resolves.toMatchObject({ text: 'Done.' })
})

it('requires an API key', async () => {
  await start()
  const path = '/v1beta/models/gemini-3-pro:generateContent'
  const sent = await fetch(`${server!.url}${path}`, { method: 'POST', body: '{"contents":[]}' })
  expect(sent.status).toBe(403)
})

it.each<[string, Reply, object[]]>([
  ['text', { text: 'Hello there' }, [text('Hello there')]],
  [
    'text and calls',
    {
      text: 'One moment',
      calls: [
        { id: 'a', name: 'find', arguments: { query: 'mail' } },
        { name: 'find', arguments: {} },
      ],
    },
    [
      text('One moment'),
      { functionCall: { id: 'a', name: 'find', args: { query: 'mail' } } },
      { functionCall: { name: 'find', args: {} } },
    ],
  ],
])('returns the same content for %s, streamed or not', async (_, reply, is) => {
  const api = await start({}, [reply, reply])
  const params = { ...base, config: tools(declare('find')) } as never
  const complete = await api.models.generateContent(params)
  const chunks = []
  for await (const chunk of await api.models.generateContentStream(params)) chunks.push(chunk)

  expect(complete.candidates?.[0]?.content?.parts).toEqual(is)
  const words = chunks.map((chunk) => textOf(chunk)).join('')
  expect(words).toBe(textOf(complete))
  expect(chunks.flatMap((chunk) => chunk.functionCalls ?? [])).toEqual(complete.functionCalls ?? [])
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  expect(chunks.at(-1)?.usageMetadata).toEqual(complete.usageMetadata)
})

it('accepts its own calls in the history', async () => {
  const reply = { text: 'Wait', calls: [{ name: 'find', arguments: {} }] }
  const api = await start({ signatures: true }, [reply])
  const request = { ...base, config: tools(declare('find')) }
  const first = await api.models.generateContent(request as never)
  const contents = [hello, first.candidates![0]!.content!, user(response())]
  const second = await api.models.generateContent({ ...request, contents } as never)
  expect(second.text).toBe('Done.')
})

it('responds with an error if the script contains a search', async () => {
  const api = await start({}, [{ search: { found: ['mail'] } }])
  await expect(api.models.generateContent(base as never)).rejects.toThrow('no search of its own')
  expect(takeScriptErrors()).toHaveLength(1)
})

describe('promptOf', () => {
  const { promptOf } = gemini()

  it('contains the system instruction, then the tools, then the contents', () => {
    const systemInstruction = user(text('Be kind.'))
    const before = promptOf({ systemInstruction, ...tools(declare('find')), contents: [hello] })
    const grown = promptOf({
      systemInstruction,
      ...tools(declare('find'), declare('mail')),
      contents: [hello, model(text('x'))],
    })
    expect(grown.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(grown[2]).not.toBe(before[2])
  })

  it('keeps its prefix when a content is added', () => {
    const before = promptOf({ ...tools(declare('find')), contents: [hello] })
    const after = promptOf({ ...tools(declare('find')), contents: [hello, model(text('x'))] })
    expect(after.slice(0, before.length)).toEqual(before)
  })
})

function textOf(response: {
  candidates?: { content?: { parts?: { text?: string }[] } }[]
}): string {
  return (response.candidates?.[0]?.content?.parts ?? []).map((part) => part.text ?? '').join('')
}
