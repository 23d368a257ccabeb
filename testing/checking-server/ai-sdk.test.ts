import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type LanguageModel, streamText, type ToolSet, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import type { Reply } from './reply.ts'
import type { Service } from './service.ts'
import { type CheckingServer, startCheckingServer } from './start-checking-server.ts'

const apiKey = 'k'
const mail = (providerOptions: object = {}) =>
  tool({
    description: 'Sends mail',
    inputSchema: z.object({ to: z.string() }),
    execute: async ({ to }) => `sent to ${to}`,
    providerOptions: providerOptions as never,
  })
const call: Reply = { text: 'Sending', calls: [{ name: 'mail', arguments: { to: 'Ann' } }] }

interface Row {
  service: Service
  model: (url: string) => LanguageModel
  tools: ToolSet
  replies: Reply[]
}

const anthropic = (url: string) => createAnthropic({ apiKey, baseURL: `${url}/v1` })
const openai = (url: string) => createOpenAI({ apiKey, baseURL: `${url}/v1` })
const deferred = { anthropic: { deferLoading: true }, openai: { deferLoading: true } }

const rows: [string, Row][] = [
  [
    'Anthropic',
    {
      service: anthropicMessages(),
      model: (url) => anthropic(url)('claude-opus-5'),
      tools: { mail: mail() },
      replies: [call],
    },
  ],
  [
    'Anthropic with its own search',
    {
      service: anthropicMessages(),
      model: (url) => anthropic(url)('claude-opus-5'),
      tools: { search: anthropic('').tools.toolSearchBm25_20251119(), mail: mail(deferred) },
      replies: [{ ...call, search: { found: ['mail'] } }],
    },
  ],
  [
    'OpenAI Responses',
    {
      service: openaiResponses(),
      model: (url) => openai(url)('gpt-5.6'),
      tools: { mail: mail() },
      replies: [call],
    },
  ],
  [
    'OpenAI Responses with hosted search',
    {
      service: openaiResponses(),
      model: (url) => openai(url)('gpt-5.6'),
      tools: { search: openai('').tools.toolSearch(), mail: mail(deferred) },
      replies: [{ ...call, search: { found: ['mail'] } }],
    },
  ],
  [
    'OpenAI Responses with client search',
    {
      service: openaiResponses(),
      model: (url) => openai(url)('gpt-5.6'),
      tools: {
        search: openai('').tools.toolSearch({
          execution: 'client',
          description: 'Finds tools',
          parameters: { type: 'object', properties: { query: { type: 'string' } } },
          execute: async () => ({
            tools: [
              { type: 'function', name: 'mail', parameters: { type: 'object' }, strict: false },
            ],
          }),
        } as never),
        mail: mail(deferred),
      },
      replies: [{ clientSearch: { arguments: { query: 'mail' } } }, call],
    },
  ],
  [
    'Anthropic with references from a client',
    {
      service: anthropicMessages(),
      model: (url) => anthropic(url)('claude-opus-5'),
      tools: {
        find: tool({
          inputSchema: z.object({}),
          execute: async () => 'mail',
          toModelOutput: ({ output: toolName }) => ({
            type: 'content',
            value: [
              {
                type: 'custom',
                providerOptions: { anthropic: { type: 'tool-reference', toolName } },
              },
            ],
          }),
        }),
        mail: mail(deferred),
      },
      replies: [{ calls: [{ name: 'find', arguments: {} }] }, call],
    },
  ],
  [
    'OpenAI Chat Completions',
    {
      service: chatCompletions(),
      model: (url) => openai(url).chat('gpt-5.6'),
      tools: { mail: mail() },
      replies: [call],
    },
  ],
  [
    'an OpenAI-compatible endpoint',
    {
      service: chatCompletions(),
      model: (url) =>
        createOpenAICompatible({ name: 'other', apiKey, baseURL: `${url}/api/v4` })('other-1'),
      tools: { mail: mail() },
      replies: [call],
    },
  ],
  [
    'Gemini',
    {
      service: gemini(),
      model: (url) => createGoogle({ apiKey, baseURL: `${url}/v1beta` })('gemini-2.5-pro'),
      tools: { mail: mail() },
      replies: [call],
    },
  ],
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

describe.each(rows)('the AI SDK with %s', (_, { service, model, tools, replies }) => {
  it('completes a turn with a call', async () => {
    server = await startCheckingServer({ service, replies })
    const result = await generateText({
      model: model(server.url),
      tools,
      prompt: 'Write to Ann.',
      stopWhen: isStepCount(5),
      maxRetries: 0,
    })
    expect(result.text).toBe('Done.')
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
    expect(server.requests.at(-1)?.text).toContain('sent to Ann')
  })

  it('completes the same turn with streaming', async () => {
    server = await startCheckingServer({ service, replies })
    const result = streamText({
      model: model(server.url),
      tools,
      prompt: 'Write to Ann.',
      stopWhen: isStepCount(5),
      maxRetries: 0,
    })
    expect(await result.text).toBe('Done.')
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
    expect(server.requests.at(-1)?.text).toContain('sent to Ann')
  })
})
