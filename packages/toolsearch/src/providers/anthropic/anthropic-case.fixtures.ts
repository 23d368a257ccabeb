import type Anthropic from '@anthropic-ai/sdk'
import type OldAnthropic from 'anthropic-sdk-0'
import { anthropicMessages } from 'toolsearch-checking-server'
import { type ProviderCase, perUrl } from '../provider.fixtures.ts'
import { type AnthropicMode, type AnthropicRequest, anthropic, minimax } from './anthropic.ts'

const modes = ['native', 'reference', 'inline-addition', 'append', 'bridge', 'stub']

/** The test case for one major version of the client. Versions differ in headers and types. */
export function anthropicCase(
  name: string,
  Client: typeof Anthropic | typeof OldAnthropic,
): ProviderCase {
  const clientOf = perUrl(
    (url) => new Client({ apiKey: 'key', baseURL: url, maxRetries: 0 }) as Anthropic,
  )
  const create = (url: string, request: unknown, stream: boolean) => {
    const client = clientOf(url)
    const params = { model: 'claude-opus-5', ...(request as object), max_tokens: 100, stream }
    // Only the beta API of the client sends the betas header.
    const api = ('betas' in params ? client.beta : client) as Anthropic
    return api.messages.create(params as unknown as Anthropic.MessageCreateParams)
  }
  return {
    name,
    modes,
    stableModes: modes.filter((mode) => mode !== 'append'),
    model: 'claude-opus-5',
    service: (options) => anthropicMessages(options),
    adapter: (session, options) =>
      anthropic(session, { ...options, mode: options.mode as AnthropicMode | undefined }),
    send: (url, request) => create(url, request, false),
    stream: async (url, request) =>
      (await create(url, request, true)) as unknown as AsyncIterable<unknown>,
    user: (content) => ({ role: 'user', content }),
    messagesOf: (request) => (request as AnthropicRequest<unknown>).messages,
    search: (mode, query, found) =>
      mode.startsWith('native')
        ? { search: { found }, text: 'Found.' }
        : { calls: [{ name: 'tool_search', arguments: { query, max_results: 1 } }] },
  }
}

/** MiniMax's endpoint, which supports this API without deferred tools. */
export function miniMaxCase(Client: typeof Anthropic): ProviderCase {
  return {
    ...anthropicCase('MiniMax', Client),
    modes: ['bridge', 'append'],
    stableModes: ['bridge'],
    model: 'MiniMax-M2',
    service: () =>
      anthropicMessages({
        rejects: ['tool_reference', 'defer_loading', 'tool_addition', 'server_tool_use'],
      }),
    adapter: (session, { mode, ...options }) =>
      anthropic(session, {
        ...minimax,
        ...options,
        ...(mode !== undefined && { mode: mode as AnthropicMode }),
      }),
  }
}
