import {
  anthropicMessages,
  chatCompletions,
  gemini,
  openaiResponses,
  type Reply,
  type Service,
} from 'toolsearch-checking-server'

/** What a sample's model is, and what it replies. */
export interface Conversation {
  service: Service
  replies: readonly Reply[]
}

const search: Reply = { calls: [{ name: 'tool_search', arguments: { query: 'refund a payment' } }] }
const refund = { name: 'refund_payment', arguments: { payment: 'pay_7' } }
const byName: Reply = { calls: [refund] }
const throughBridge: Reply = { calls: [{ name: 'call_tool', arguments: refund }] }
const done: Reply = { text: 'Refunded.' }

/** An endpoint that returns the same vector for every text. */
const embeddings: Service = {
  ...chatCompletions(),
  matches: (path) => path.endsWith('/embeddings'),
  check: () => undefined,
  streams: () => false,
  encode: (_reply, { input }) => ({
    data: (input as string[]).map((_text, index) => ({ index, embedding: Array(768).fill(0.1) })),
  }),
}

/** The conversations of the samples that call a model, by path in docs/samples. */
export const CONVERSATIONS: Readonly<Record<string, Conversation>> = {
  'readme/plain-loop.ts': { service: chatCompletions(), replies: [search, byName, done] },
  'anthropic/loop.ts': { service: anthropicMessages(), replies: [search, byName, done] },
  'anthropic/mcp-connector.ts': {
    service: anthropicMessages(),
    replies: [{ text: 'You are free.' }],
  },
  'openai/loop.ts': {
    service: openaiResponses(),
    replies: [{ clientSearch: { arguments: { query: 'refund a payment' } } }, byName, done],
  },
  'openai/allowed-tools.ts': { service: openaiResponses(), replies: [{ text: 'Nothing.' }] },
  'openai-compatible/loop.ts': {
    service: chatCompletions(),
    replies: [search, throughBridge, done],
  },
  'gemini/loop.ts': { service: gemini(), replies: [search, throughBridge, done] },
  'providers/own-outputs.ts': { service: anthropicMessages(), replies: [byName] },
  'providers/extra-tools.ts': {
    service: anthropicMessages(),
    replies: [{ calls: [{ name: 'bash', arguments: { command: 'ls' } }] }],
  },
  'providers/stream.ts': { service: anthropicMessages(), replies: [{ text: 'Hello!' }] },
  'providers/downgrade.ts': {
    service: anthropicMessages({ rejects: ['defer_loading'] }),
    replies: [{ text: 'Hello!' }],
  },
  // One request for the tool and one for the query.
  'rankers/embedder.ts': { service: embeddings, replies: [{}, {}] },
  'ai-sdk/chat.ts': { service: anthropicMessages(), replies: [search, byName, done] },
  'ai-sdk/mcp.ts': {
    service: anthropicMessages(),
    replies: [
      { calls: [{ name: 'list_directory', arguments: { path: '.' } }] },
      { text: 'There are no files.' },
    ],
  },
  'ai-sdk/agent.ts': {
    service: anthropicMessages(),
    replies: [{ calls: [{ name: 'now', arguments: {} }] }, { text: 'It is noon.' }],
  },
  'ai-sdk/prepare-step.ts': {
    service: anthropicMessages(),
    replies: [{ calls: [{ name: 'now', arguments: {} }] }],
  },
  'ai-sdk/search-with.ts': { service: anthropicMessages(), replies: [{ text: 'It is noon.' }] },
}
