import OpenAI from 'openai'
import { openaiResponses } from 'toolsearch-checking-server'
import { type ProviderCase, perUrl } from '../provider.fixtures.ts'
import { type OpenaiMode, type OpenaiRequest, openai } from './openai.ts'

const modes = ['hosted', 'client', 'append', 'bridge', 'stub']
const model = 'gpt-5.6'
const clientOf = perUrl((url) => new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0 }))

/** OpenAI's Responses API through its own client. */
export const openaiCase: ProviderCase = {
  name: 'OpenAI Responses',
  modes,
  stableModes: modes.filter((mode) => mode !== 'append'),
  model,
  service: (options) => openaiResponses(options),
  adapter: (session, options) =>
    openai(session, { ...options, mode: options.mode as OpenaiMode | undefined }),
  send: (url, request) => create(url, request, false),
  stream: async (url, request) =>
    (await create(url, request, true)) as unknown as AsyncIterable<unknown>,
  user: (content) => ({ role: 'user', content }),
  messagesOf: (request) => (request as OpenaiRequest<unknown>).input,
  search(mode, query, found) {
    const input = { query, max_results: 1 }
    if (mode === 'hosted') return { search: { found }, text: 'Found.' }
    if (mode === 'client') return { clientSearch: { arguments: input } }
    return { calls: [{ name: 'tool_search', arguments: input }] }
  },
}

function create(url: string, request: unknown, stream: boolean) {
  const params = { model, ...(request as OpenaiRequest<OpenAI.Responses.ResponseInputItem>) }
  return clientOf(url).responses.create({ ...params, stream })
}
