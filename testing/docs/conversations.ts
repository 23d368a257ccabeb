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
  /**
   * How many requests the sample expects to be rejected.
   * @default 0
   */
  rejected?: number
  /** Variables for a sample whose requests another process sends. */
  env?: (url: string, folder: string) => Readonly<Record<string, string>>
}

const search: Reply = { calls: [{ name: 'tool_search', arguments: { query: 'refund a payment' } }] }
const refund = { name: 'refund_payment', arguments: { payment: 'pay_7' } }
const byName: Reply = { calls: [refund] }
const throughBridge: Reply = { calls: [{ name: 'call_tool', arguments: refund }] }
const throughMcp = (name: string, input: object): Reply => ({
  calls: [{ name: `mcp__tools__${name}`, arguments: input }],
})
const done: Reply = { text: 'Refunded.' }

/** Claude Code, which the Claude Agent SDK starts, sends the requests and keeps its files. */
const claudeCode: Conversation['env'] = (url, folder) => ({
  ANTHROPIC_BASE_URL: url,
  HOME: folder,
  CLAUDE_CONFIG_DIR: folder,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
})

/** An endpoint that returns the same vector for every text. */
const embeddings: Service = {
  ...chatCompletions(),
  matches: (path) => path.endsWith('/embeddings'),
  check: () => undefined,
  streams: () => false,
  callableTools: () => [],
  encode: (_reply, { input }) => ({
    data: (input as string[]).map((_text, index) => ({ index, embedding: Array(768).fill(0.1) })),
  }),
}

/** Two services. Only Gemini's requests have contents. */
function either(other: Service, google: Service): Service {
  const serviceOf = (body: object) => ('contents' in body ? google : other)
  return {
    ...other,
    matches: (path) => other.matches(path) || google.matches(path),
    check: (body, headers) => serviceOf(body).check(body, headers),
    streams: (body, path) => serviceOf(body).streams(body, path),
    callableTools: (body, reply) => serviceOf(body).callableTools(body, reply),
    encode: (reply, body) => serviceOf(body).encode(reply, body),
    stream: (reply, body) => serviceOf(body).stream(reply, body),
  }
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
  'openai-agents/agent.ts': { service: openaiResponses(), replies: [search, throughBridge, done] },
  'openai-agents/native.ts': {
    service: openaiResponses(),
    replies: [{ clientSearch: { arguments: { query: 'refund a payment' } } }, byName, done],
  },
  'openai-agents/approve.ts': {
    service: openaiResponses(),
    replies: [search, throughBridge, done],
  },
  'openai-agents/expect.ts': { service: openaiResponses(), replies: [throughBridge, done] },
  'adk/confirm.ts': { service: gemini(), replies: [search, throughBridge, done] },
  'adk/agent.ts': { service: gemini(), replies: [search, throughBridge, done] },
  'conversations/anthropic-to-gemini.ts': {
    service: either(anthropicMessages(), gemini({ signatures: true })),
    replies: [search, byName, done, { text: 'I refunded pay_7.' }],
  },
  'gemini/loop.ts': { service: gemini(), replies: [search, throughBridge, done] },
  'providers/own-outputs.ts': { service: anthropicMessages(), replies: [byName] },
  'providers/on-drop.ts': { service: anthropicMessages(), replies: [byName] },
  'providers/extra-tools.ts': {
    service: anthropicMessages(),
    replies: [{ calls: [{ name: 'bash', arguments: { command: 'ls' } }] }],
  },
  'providers/stream.ts': { service: anthropicMessages(), replies: [{ text: 'Hello!' }] },
  'providers/downgrade.ts': {
    service: anthropicMessages({ rejects: ['defer_loading'] }),
    replies: [{ text: 'Hello!' }],
    rejected: 1,
  },
  // One request for the tool and one for the query.
  'rankers/embedder.ts': { service: embeddings, replies: [{}, {}] },
  'ai-sdk/chat.ts': { service: anthropicMessages(), replies: [search, throughBridge, done] },
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
  'langchain/agent.ts': { service: anthropicMessages(), replies: [search, throughBridge, done] },
  'langchain/approve.ts': { service: anthropicMessages(), replies: [search, throughBridge, done] },
  'langchain/graph.ts': { service: anthropicMessages(), replies: [search, throughBridge, done] },
  'mastra/agent.ts': { service: anthropicMessages(), replies: [search, throughBridge, done] },
  'ai-sdk/search-with.ts': { service: anthropicMessages(), replies: [{ text: 'It is noon.' }] },
  'bridge/agent.ts': { service: chatCompletions(), replies: [search, throughBridge, done] },
  'claude-agent-sdk/query.ts': {
    service: anthropicMessages(),
    replies: [
      throughMcp('tool_search', { query: 'refund a payment' }),
      throughMcp('call_tool', refund),
      done,
    ],
    env: claudeCode,
  },
  'claude-agent-sdk/expect.ts': {
    service: anthropicMessages(),
    replies: [throughMcp('call_tool', refund), done],
    env: claudeCode,
  },
  'claude-agent-sdk/permissions.ts': {
    service: anthropicMessages(),
    replies: [
      throughMcp('tool_search', { query: 'payments' }),
      throughMcp('call_tool', { name: 'list_payments', arguments: {} }),
      throughMcp('call_tool', { name: 'refund_payments', arguments: {} }),
      { text: 'I may only list payments.' },
    ],
    env: claudeCode,
  },
}
