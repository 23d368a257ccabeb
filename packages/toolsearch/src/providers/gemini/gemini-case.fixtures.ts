import { type Content, GoogleGenAI } from '@google/genai'
import { gemini as geminiService } from 'toolsearch-checking-server'
import { type ProviderCase, perUrl } from '../provider.fixtures.ts'
import { type GeminiContent, type GeminiMode, type GeminiRequest, gemini } from './gemini.ts'

const model = 'gemini-3-pro'

/** The client's API for generating content. */
export const models: (url: string) => GoogleGenAI['models'] = perUrl(
  (url) => new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url } }).models,
)
const send = (url: string, request: GeminiRequest<GeminiContent>) =>
  models(url).generateContent({ model, ...request })
const stream = (url: string, request: GeminiRequest<GeminiContent>) =>
  models(url).generateContentStream({
    model,
    ...request,
    config: { ...request.config, temperature: 0 },
  })

export const geminiCase: ProviderCase = {
  name: 'Gemini',
  modes: ['bridge', 'append', 'stub'],
  stableModes: ['bridge', 'stub'],
  model,
  service: (options) => geminiService({ ...options, signatures: true }),
  adapter: (session, options) =>
    gemini<Content>(session, { ...options, mode: options.mode as GeminiMode | undefined }),
  send: (url, request) => send(url, request as GeminiRequest<GeminiContent>),
  stream: (url, request) => stream(url, request as GeminiRequest<GeminiContent>),
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  messagesOf: (request) => (request as GeminiRequest<unknown>).contents,
  search: (_, query) => ({
    calls: [{ name: 'tool_search', arguments: { query, max_results: 1 } }],
  }),
}
