import { ApiError, GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Reply } from '../reply.ts'
import { type CheckingServer, startCheckingServer } from '../start-checking-server.ts'
import { type GeminiOptions, gemini } from './gemini.ts'

const schema = { type: 'object', properties: {} }
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
const response = (name = 'find') => ({ functionResponse: { name, response: { output: 1 } } })
const config = (mode: string, ...allowedFunctionNames: string[]) => ({
  toolConfig: { functionCallingConfig: { mode, allowedFunctionNames } },
})

interface Case {
  it: string
  refused: { contents?: unknown; config?: object }
  accepted: { contents?: unknown; config?: object }
  says: string
  options?: GeminiOptions
}

const cases: Case[] = [
  {
    it: 'more than 512 functions',
    refused: { config: tools(...many(513)) },
    accepted: { config: tools(...many(512)) },
    says: 'At most 512 function declarations can be specified.',
  },
  {
    it: 'more than 512 functions in several tools',
    refused: {
      config: { tools: [...tools(...many(512)).tools, ...tools(declare('find')).tools] },
    },
    accepted: {
      config: { tools: [...tools(...many(511)).tools, ...tools(declare('find')).tools] },
    },
    says: 'tools[1].function_declarations: [FIELD_INVALID] At most 512',
  },
  {
    it: 'a name that begins with a digit',
    refused: { config: tools(declare('1a')) },
    accepted: { config: tools(declare('_1a.b:c-d')) },
    says: 'tools[0].function_declarations[0].name: [FIELD_INVALID] Invalid function name.',
  },
  {
    it: 'a name of 129 characters',
    refused: { config: tools(declare('a'.repeat(129))) },
    accepted: { config: tools(declare('a'.repeat(128))) },
    says: 'Invalid function name.',
  },
  {
    it: 'a function with two schemas',
    refused: { config: tools(declare('find', { parameters: { type: 'OBJECT' } })) },
    accepted: { config: tools({ name: 'find', parameters: { type: 'OBJECT' } }) },
    says: 'Only one of `parameters` and `parameters_json_schema`',
  },
  {
    it: 'two functions of one name',
    refused: { config: tools(declare('find'), declare('find')) },
    accepted: { config: tools(declare('find'), declare('Find')) },
    says: 'Duplicate function declaration found: find',
  },
  {
    it: 'a deferred function',
    refused: { config: tools(declare('find', { defer_loading: true })) },
    accepted: { config: tools(declare('find', { description: 'defer_loading' })) },
    says: 'Unknown name \\"defer_loading\\"',
  },
  {
    it: 'fewer responses than calls',
    refused: { contents: [hello, model(call(), call('mail')), user(response())] },
    accepted: {
      contents: [hello, model(call(), call('mail')), user(response('mail'), response())],
    },
    says: 'number of function response parts is equal to the number of function call parts',
  },
  {
    it: 'a call without a response',
    refused: { contents: [hello, model(call()), hello] },
    accepted: { contents: [hello, model(call()), user(response()), hello] },
    says: 'number of function response parts',
  },
  {
    it: 'a response by another name',
    refused: { contents: [hello, model(call()), user(response('mail'))] },
    accepted: { contents: [hello, model(call('mail')), user(response('mail'))] },
    says: 'each function response has the name of its function call: find',
  },
  {
    it: 'a response without a call',
    refused: { contents: [hello, model(text('x')), user(response())] },
    accepted: { contents: [hello, model(text('x'), call()), user(response())] },
    says: 'function response turn comes immediately after a function call turn',
  },
  {
    it: 'a call after what the model said',
    refused: { contents: [hello, model(text('x')), model(call()), user(response())] },
    accepted: {
      contents: [hello, model(call()), user(response()), model(call()), user(response())],
    },
    says: 'function call turn comes immediately after a user turn or after a function response turn',
  },
  {
    it: 'an allowed function that is not declared',
    refused: { config: { ...tools(declare('find')), ...config('ANY', 'mail') } },
    accepted: { config: { ...tools(declare('find')), ...config('ANY', 'find') } },
    says: "allowed_function_names contains 'mail'",
  },
  {
    it: 'allowed functions in a mode that does not restrict',
    refused: { config: { ...tools(declare('find')), ...config('AUTO', 'find') } },
    accepted: { config: { ...tools(declare('find')), ...config('VALIDATED', 'find') } },
    says: 'only when function calling mode is ANY or VALIDATED',
  },
  {
    it: 'a strange role',
    refused: { contents: [hello, { role: 'function', parts: [text('x')] }] },
    accepted: { contents: [hello, user(text('x'))] },
    says: 'Please use a valid role: user, model.',
  },
  {
    it: 'a content without parts',
    refused: { contents: [hello, user()] },
    accepted: { contents: [hello, user(text('x'))] },
    says: 'contents[1].parts: contents.parts must not be empty.',
  },
  {
    it: 'an empty part',
    refused: { contents: [user({})] },
    accepted: { contents: [user(text('x'))] },
    says: "required oneof field 'data' must have one initialized field",
  },
  {
    it: 'a field the endpoint does not know',
    options: { rejects: ['parametersJsonSchema'] },
    refused: { config: tools(declare('find')) },
    accepted: { config: tools({ name: 'find', parameters: { type: 'OBJECT' } }) },
    says: 'Unknown name \\"parametersJsonSchema\\"',
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: GeminiOptions = {}, replies: Reply[] = []) => {
  server = await startCheckingServer({ service: gemini(options), replies })
  return new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } })
}
const base = { model: 'gemini-3-pro', contents: [hello] }

it.each(cases)('refuses $it', async ({ refused, accepted, says, options }) => {
  const api = await start(options)
  const send = (request: object) => api.models.generateContent({ ...base, ...request } as never)
  const error = await send(refused).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).status).toBe(400)
  expect((error as ApiError).message).toContain(says)
  expect(server!.requests[0]?.problem?.status).toBe(400)
  await expect(send(accepted)).resolves.toMatchObject({ text: 'Done.' })
})

it('wants a key', async () => {
  await start()
  const path = '/v1beta/models/gemini-3-pro:generateContent'
  const sent = await fetch(`${server!.url}${path}`, { method: 'POST', body: '{"contents":[]}' })
  expect(sent.status).toBe(403)
})

it.each<[string, Reply, object[]]>([
  ['a text', { text: 'Hello there' }, [text('Hello there')]],
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
])('streams %s to the same content as the whole form', async (_, reply, is) => {
  const api = await start({}, [reply, reply])
  const params = { ...base, config: tools(declare('find')) } as never
  const whole = await api.models.generateContent(params)
  const chunks = []
  for await (const chunk of await api.models.generateContentStream(params)) chunks.push(chunk)

  expect(whole.candidates?.[0]?.content?.parts).toEqual(is)
  const words = chunks.map((chunk) => textOf(chunk)).join('')
  expect(words).toBe(textOf(whole))
  expect(chunks.flatMap((chunk) => chunk.functionCalls ?? [])).toEqual(whole.functionCalls ?? [])
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  expect(chunks.at(-1)?.usageMetadata).toEqual(whole.usageMetadata)
})

it('accepts its own calls when they are sent back', async () => {
  const api = await start({}, [{ text: 'Wait', calls: [{ name: 'find', arguments: {} }] }])
  const request = { ...base, config: tools(declare('find')) }
  const first = await api.models.generateContent(request as never)
  const contents = [hello, first.candidates![0]!.content!, user(response())]
  const second = await api.models.generateContent({ ...request, contents } as never)
  expect(second.text).toBe('Done.')
})

it('says so when the script asks for a search', async () => {
  const api = await start({}, [{ search: { found: ['mail'] } }])
  await expect(api.models.generateContent(base as never)).rejects.toThrow('no search of its own')
})

describe('promptOf', () => {
  const { promptOf } = gemini()

  it('reads the system instruction, then tools, then contents', () => {
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

  it('grows at its end when a content is added', () => {
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
