import OpenAI from 'openai'
import { chatCompletions, type Service } from 'toolsearch-checking-server'
import { type ProviderCase, perUrl } from '../provider.fixtures.ts'
import type { ChatMode, ChatRequest, OpenAICompatibleOptions } from './openai-compatible.ts'
import { openaiCompatible, sglang } from './openai-compatible.ts'

const clientOf = perUrl((url) => new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0 }))

/** The endpoint of SGLang, vLLM or Baseten, in the mode that uses its deferral. */
export function chatReferenceCase(): ProviderCase {
  return {
    ...chatCase('Chat Completions with references'),
    modes: ['reference'],
    stableModes: ['reference'],
    service: (options) => chatCompletions({ ...options, deferral: 'reference' }),
    adapter: (session, { mode, ...options }) =>
      openaiCompatible(session, { ...sglang, ...options, ...(mode && { mode: mode as ChatMode }) }),
  }
}

/** Chat Completions through OpenAI's client, for an endpoint with its own quirks and options. */
export function chatCase(
  name: string,
  defaults: OpenAICompatibleOptions = {},
  endpoint: (service: Service) => Service = (service) => service,
): ProviderCase {
  const create = (url: string, request: unknown, stream: boolean) => {
    const params = { model: 'some-model', ...(request as object), stream }
    return clientOf(url).chat.completions.create(params as OpenAI.ChatCompletionCreateParams)
  }
  return {
    name,
    modes: ['bridge', 'append', 'stub'],
    stableModes: ['bridge', 'stub'],
    model: 'some-model',
    service: (options) => endpoint(chatCompletions(options)),
    adapter: (session, { mode = defaults.mode, ...options }) =>
      openaiCompatible(session, { ...defaults, ...options, mode: mode as ChatMode | undefined }),
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
