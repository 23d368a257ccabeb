import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OldAnthropic from 'anthropic-sdk-0'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { gemini } from './gemini/gemini.ts'
import { inProcessServer } from './in-process-server.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import type { Reply } from './reply.ts'
import type { Service } from './service.ts'
import { type CheckingServer, startCheckingServer } from './start-checking-server.ts'

// Most tests use no network. These check that it makes no difference to the official clients.

interface Row {
  name: string
  service: Service
  /** Returns the reply, or its events. */
  send(url: string, stream: boolean): Promise<unknown>
}

const parameters = { type: 'object' as const, properties: { to: { type: 'string' } } }
const mail = { name: 'mail', description: 'Sends mail', parameters }
const messages = [{ role: 'user' as const, content: 'Write to Ann.' }]
const options = { apiKey: 'k', maxRetries: 0 }
const reply: Reply = {
  text: 'Sending',
  calls: [{ id: 'call_1', name: 'mail', arguments: { to: 'Ann' } }],
}

const anthropicRow = (name: string, Client: typeof Anthropic | typeof OldAnthropic): Row => ({
  name,
  service: anthropicMessages(),
  send: (url, stream) =>
    (new Client({ ...options, baseURL: url }) as Anthropic).messages.create({
      model: 'claude-opus-5',
      max_tokens: 9,
      messages,
      tools: [{ name: 'mail', input_schema: parameters }],
      stream,
    }),
})

const rows: readonly Row[] = [
  anthropicRow('Anthropic 1.x', Anthropic),
  anthropicRow('Anthropic 0.x', OldAnthropic),
  {
    name: 'OpenAI Responses',
    service: openaiResponses(),
    send: (url, stream) =>
      new OpenAI({ ...options, baseURL: `${url}/v1` }).responses.create({
        model: 'gpt-5.6',
        input: messages,
        tools: [{ type: 'function', strict: false, ...mail }],
        stream,
      }),
  },
  {
    name: 'OpenAI Chat Completions',
    service: chatCompletions(),
    send: (url, stream) =>
      new OpenAI({ ...options, baseURL: `${url}/v1` }).chat.completions.create({
        model: 'gpt-5.6',
        messages,
        tools: [{ type: 'function', function: mail }],
        stream,
      }),
  },
  {
    name: 'Gemini',
    service: gemini(),
    send(url, stream) {
      const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } })
      const request = {
        model: 'gemini-3-pro',
        contents: 'Write to Ann.',
        config: { tools: [{ functionDeclarations: [mail as object] }] },
      }
      return stream ? models.generateContentStream(request) : models.generateContent(request)
    },
  },
]

const servers: CheckingServer[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

describe.each(rows)('the client of $name', ({ service, send }) => {
  it.each([
    ['complete', false],
    ['streamed', true],
  ])('gets the same %s reply over HTTP and within the process', async (_, stream) => {
    servers.push(
      await startCheckingServer({ service, replies: [reply] }),
      inProcessServer({ service, replies: [reply] }),
    )
    const [overHttp, inProcess] = await Promise.all(
      servers.map(async ({ url }) => textOf(await send(url, stream))),
    )
    expect(overHttp).toContain('call_1')
    expect(inProcess).toBe(overHttp)
    const [one, other] = servers.map(({ requests }) => requests[0]!)
    expect(one!.problem).toBeUndefined()
    expect(other!.text).toBe(one!.text)
    expect(other!.path).toBe(one!.path)
  })
})

/** A reply as text, without what always differs: generated ids and the headers of HTTP. */
async function textOf(answer: unknown): Promise<string> {
  const events: unknown[] = []
  if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer) {
    for await (const event of answer as AsyncIterable<unknown>) events.push(event)
  } else events.push(answer)
  return JSON.stringify(events, (key, value) => (key === 'headers' ? undefined : value)).replace(
    /_\d{8}"/g,
    '_id"',
  )
}
