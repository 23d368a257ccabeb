import OpenAI from 'openai'
import { chatCompletions } from 'toolsearch-checking-server'
import type { ProviderCase } from '../provider.fixtures.ts'
import type { ChatMode, ChatRequest, OpenAICompatibleOptions } from './openai-compatible.ts'
import { openaiCompatible } from './openai-compatible.ts'

type Params = OpenAI.ChatCompletionCreateParams

/** Chat Completions through OpenAI's client, with what is known of an endpoint. */
export function chatCase(name: string, known: OpenAICompatibleOptions = {}): ProviderCase {
  const create = (url: string, request: unknown, stream: boolean) => {
    const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0 })
    return client.chat.completions.create({
      model: 'some-model',
      ...(request as object),
      stream,
    } as Params)
  }
  return {
    name,
    modes: ['bridge', 'append', 'stub'],
    stableModes: ['bridge', 'stub'],
    model: 'some-model',
    service: (options) => chatCompletions(options),
    wire: (session, { mode = known.mode, ...options }) =>
      openaiCompatible(session, { ...known, ...options, mode: mode as ChatMode | undefined }),
    send: (url, request) => create(url, request, false),
    stream: async (url, request) =>
      (await create(url, request, true)) as unknown as AsyncIterable<unknown>,
    user: (content) => ({ role: 'user', content }),
    messagesOf: (request) => (request as ChatRequest<unknown>).messages,
    search: (_, query) => ({
      calls: [{ name: 'tool_search', arguments: { query, max_results: 1 } }],
    }),
  }
}
