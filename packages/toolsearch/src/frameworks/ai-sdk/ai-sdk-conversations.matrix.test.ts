import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  type ToolSet,
  tool,
  type UIMessage,
} from 'ai'
import {
  anthropicMessages,
  chatCompletions,
  gemini,
  inProcessServer,
  openaiResponses,
  type Reply,
  type Service,
} from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { eachValue, isDeep } from '../../../../../testing/deep.ts'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import { createToolSearch } from '../../toolsearch.ts'
import {
  addedTool,
  bridgeHabits,
  clientHabits,
  conversationTools,
  directHabits,
  EXPECTED,
  longConversation,
  type ModelHabits,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { type AiSdkMode, type AiSdkSettings, aiSdk } from './index.ts'

const apiKey = 'any'
interface Endpoint {
  name: string
  service: () => Service
  model: (url: string) => LanguageModel
}

const anthropic: Endpoint = {
  name: 'Anthropic',
  service: anthropicMessages,
  model: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-opus-5'),
}
const responses: Endpoint = {
  name: 'OpenAI Responses',
  service: openaiResponses,
  model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey })('gpt-5.4'),
}
const chat: Endpoint = {
  name: 'OpenAI Chat',
  service: chatCompletions,
  model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-5.4'),
}
const compatible: Endpoint = {
  name: 'OpenAI-compatible',
  service: chatCompletions,
  model: (url) => createOpenAICompatible({ name: 'mini', baseURL: `${url}/v1`, apiKey })('mini-m3'),
}
const google: Endpoint = {
  name: 'Google',
  service: gemini,
  model: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })('gemini-2.5-pro'),
}

interface Row {
  endpoint: Endpoint
  mode: AiSdkMode
  habits: ModelHabits
  expects?: boolean
  /** Whether the model calls tools that the request does not define. */
  guesses?: boolean
}

/** Every endpoint and every mode once. */
const rows: Row[] = [
  { endpoint: google, mode: 'bridge', habits: bridgeHabits },
  { endpoint: compatible, mode: 'bridge', habits: bridgeHabits },
  // a model that calls the tools in the announcement by their names
  { endpoint: anthropic, mode: 'bridge', habits: directHabits, guesses: true },
  { endpoint: responses, mode: 'client', habits: clientHabits },
  { endpoint: anthropic, mode: 'reference', habits: directHabits, expects: true },
  { endpoint: chat, mode: 'bridge', habits: bridgeHabits, expects: true },
]
const moreRows: Row[] = [
  { endpoint: anthropic, mode: 'reference', habits: directHabits },
  ...[anthropic, responses, chat].map(
    (endpoint): Row => ({ endpoint, mode: 'bridge', habits: bridgeHabits }),
  ),
]

/** Everything that one user turn needs. */
interface TurnInput {
  readonly say: string
  readonly model: LanguageModel
  readonly settings: AiSdkSettings<ToolSet>
}

/** A way to run a conversation. It keeps the messages. */
type Runner = () => (input: TurnInput) => Promise<void>

const shared = {
  instructions: 'Be kind.',
  stopWhen: isStepCount(10),
  maxRetries: 0,
  // Items that the service stores are not sent again, so they cannot be compared.
  providerOptions: { openai: { store: false } },
}

/** Messages are stored as JSON between two turns. */
function stored<VALUE>(value: VALUE): VALUE {
  return JSON.parse(JSON.stringify(value))
}

const runners: Record<string, Runner> = {
  generateText() {
    let messages: ModelMessage[] = []
    return async ({ say, model, settings }) => {
      messages.push({ role: 'user', content: say })
      const { responseMessages } = await generateText({ ...shared, model, messages, ...settings })
      messages = stored([...messages, ...responseMessages])
    }
  },
  streamText() {
    let messages: ModelMessage[] = []
    return async ({ say, model, settings }) => {
      messages.push({ role: 'user', content: say })
      const result = streamText({ ...shared, model, messages, ...settings })
      messages = stored([...messages, ...(await result.responseMessages)])
    }
  },
  ToolLoopAgent() {
    let messages: ModelMessage[] = []
    return async ({ say, model, settings }) => {
      messages.push({ role: 'user', content: say })
      const agent = new ToolLoopAgent({ ...shared, model, ...settings })
      const { responseMessages } = await agent.generate({ messages })
      messages = stored([...messages, ...responseMessages])
    }
  },
  'UI messages'() {
    const page: UIMessage[] = []
    return async ({ say, model, settings }) => {
      page.push({ id: say, role: 'user', parts: [{ type: 'text', text: say }] })
      const messages = await convertToModelMessages(page, { tools: settings.tools })
      const result = streamText({ ...shared, model, messages, ...settings })
      let reply: UIMessage | undefined
      for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) {
        reply = message
      }
      page.push(stored(reply!))
    }
  },
}

function toSdkTools(definitions: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    definitions.map(({ name, description, inputSchema, execute }) => [
      name,
      tool({
        description: description!,
        inputSchema: jsonSchema(inputSchema as object),
        execute: (input) => execute!(input as never, {} as never),
      }),
    ]),
  )
}

async function converse(row: Row, runner: Runner) {
  const { endpoint, mode, habits, expects = false, guesses = false } = row
  const service = endpoint.service()
  const turns = longConversation(habits, { expects })
  const replies = turns
    .flatMap((turn): Reply[] => [...turn.replies, { text: 'Done.' }])
    .map((reply) => (guesses ? { ...reply, unconstrained: true } : reply))
  const server = inProcessServer({ service, replies })
  try {
    const ran: string[] = []
    const toolSearch = createToolSearch({ activation: 'always' })
    const run = runner()
    let definitions = conversationTools(ran)
    const ranByTurn: string[][] = []
    for (const { say, change } of turns) {
      if (change?.add) definitions = [...definitions, addedTool(ran)]
      definitions = definitions.filter(({ name }) => name !== change?.remove)
      const session = await toolSearch.session('a')
      const settings = aiSdk(session, {
        tools: toSdkTools(definitions),
        mode,
        expect: expects,
      })
      const before = ran.length
      await run({ say, model: endpoint.model(server.url), settings })
      ranByTurn.push(ran.slice(before))
    }
    return { turns, ranByTurn, requests: server.requests, service, expected: replies.length }
  } finally {
    await server.close()
  }
}

describe.each(
  eachValue({ row: isDeep ? [...rows, ...moreRows] : rows, runner: Object.keys(runners) }),
)(
  '20 turns: $row.endpoint.name, mode $row.mode, expect: $row.expects, $runner',
  ({ row, runner }) => {
    it('causes no rejected request and no changed prefix', async () => {
      const { turns, ranByTurn, requests, ...rest } = await converse(row, runners[runner]!)
      expect(requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect(ranByTurn).toEqual(turns.map(({ runs }) => runs))
      expect(requests).toHaveLength(rest.expected)
      expect(prefixBreaks(rest.service, requests)).toEqual([])
      // News is part of every later request.
      const last = requests.at(-1)!.text
      expect(last).toContain('New tools available through search:\\n- play_chess')
      expect(last).toContain('No longer available:\\n- thing_7')
      expect(last.split(EXPECTED)).toHaveLength(row.expects ? 2 : 1)
      expect(last).toContain('No longer available:\\n- draw_zebra')
    })
  },
)

// ai-sdk-requests.matrix.test.ts shows this for every provider, over two turns.
it.each(isDeep ? ['append' as const] : [])(
  '20 turns in mode %s: the prefix changes with each found tool',
  async (mode) => {
    const row: Row = { endpoint: anthropic, mode, habits: directHabits }
    const { turns, ranByTurn, requests, service } = await converse(row, runners.generateText!)
    expect(requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
    expect(ranByTurn).toEqual(turns.map(({ runs }) => runs))
    expect(prefixBreaks(service, requests).length).toBeGreaterThan(3)
  },
)
