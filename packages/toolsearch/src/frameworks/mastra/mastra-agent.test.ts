import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { MockMemory } from '@mastra/core/memory'
import { RequestContext } from '@mastra/core/request-context'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import {
  anthropicMessages,
  type CheckingServer,
  inProcessServer,
  type Reply,
} from 'toolsearch-checking-server'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolInputs } from '../../catalogue/tool-input.ts'
import { createMemoryStore } from '../../stores/memory-store.ts'
import { callTool } from '../../tool-search/call-tool.ts'
import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'
import { prefixBreaks } from '../long-conversation.fixtures.ts'
import { models } from './mastra.fixtures.ts'
import { mastraTools } from './mastra-tools.ts'
import { type MastraOptions, toolSearchProcessor } from './tool-search-processor.ts'

const [claude, responses] = models
const search: Reply = {
  calls: [{ name: 'tool_search', arguments: { query: 'select:send_letter' } }],
}
const send: Reply = call('send_letter', { to: 'Ann' })
const done: Reply = { text: 'Done.' }
const memory = { thread: 'a', resource: 'ann' }

let server: CheckingServer
afterEach(() => server.close())

function call(name: string, input: unknown): Reply {
  return { calls: [{ name: 'call_tool', arguments: { name, arguments: input } }] }
}

async function serve(replies: readonly Reply[], { service } = claude!): Promise<void> {
  server = inProcessServer({ service: service(), replies })
}

interface AgentOptions extends MastraOptions {
  model?: (typeof models)[number]
  memory?: MockMemory
  withTools?: boolean
}

function agentFor(
  tools: ToolInputs | ToolSearch,
  { model = claude!, withTools = false, ...options }: AgentOptions = {},
) {
  const toolSearch =
    'session' in tools ? (tools as ToolSearch) : createToolSearch({ tools, activation: 'always' })
  const { memory: agentMemory, ...processorOptions } = options
  const processor = toolSearchProcessor(toolSearch, processorOptions)
  const agent = new Agent({
    id: 'helper',
    name: 'helper',
    instructions: 'You help.',
    model: model.model(server.url),
    inputProcessors: [processor],
    ...(withTools && { tools: processor.tools() }),
    ...(agentMemory && { memory: agentMemory }),
  })
  return agent
}

/** A run that is suspended is stored. */
function withStorage(agent: Agent, storage = new InMemoryStore()): Agent {
  return new Mastra({ agents: { agent }, storage, logger: false }).getAgent('agent')
}

const schema = z.object({ to: z.string() })

function letters(ran: unknown[] = [], more: object = {}) {
  return createTool({
    id: 'send_letter',
    description: 'Sends a letter',
    inputSchema: schema,
    execute: async ({ to }) => {
      ran.push(to)
      return `Sent to ${to}.`
    },
    ...more,
  })
}

/** The results of the last request, as JSON. */
function lastMessage(): string {
  const { messages, input } = server.requests.at(-1)!.body as Record<string, unknown[]>
  return JSON.stringify((messages ?? input)!.at(-1))
}

describe('a found tool of Mastra', () => {
  it('runs with the context of Mastra', async () => {
    let context: Record<string, unknown> = {}
    const letter = createTool({
      id: 'send_letter',
      description: 'Sends a letter',
      inputSchema: schema,
      execute: async (_input, given) => {
        context = given as never
        return { stamps: 2 }
      },
    })
    await serve([search, send, done])
    const requestContext = new RequestContext([['user', 'ann']])
    await agentFor(mastraTools({ letter_by_key: letter, send_letter: letter })).generate('Write', {
      requestContext,
      maxSteps: 5,
    })
    expect((context.requestContext as RequestContext).get('user')).toBe('ann')
    expect(context.agent).toMatchObject({ toolCallId: expect.any(String) })
    expect(context.abortSignal ?? context.tracingContext).toBeDefined()
    expect(lastMessage()).toContain('{\\"stamps\\":2}')
  })

  it('gets its arguments once through the transforms of its schema', async () => {
    const ran: unknown[] = []
    const plan = createTool({
      id: 'plan_day',
      description: 'Plans a day',
      inputSchema: z.object({ day: z.string().transform((text) => text.length) }),
      execute: async ({ day }) => void ran.push(day),
    })
    const input = call('plan_day', { day: 'Monday' })
    await serve([input, input, done])
    await agentFor(mastraTools([plan])).generate('Plan', { maxSteps: 5 })
    expect(ran).toEqual([6])
  })

  it('answers the model when it throws, and the agent goes on', async () => {
    await serve([search, send, done])
    const broken = letters([], { execute: async () => Promise.reject(new Error('No stamps left')) })
    const { text } = await agentFor(mastraTools([broken])).generate('Write', { maxSteps: 5 })
    expect(text).toBe('Done.')
    expect(lastMessage()).toContain('No stamps left')
    expect(lastMessage()).toContain('"is_error":true')
  })

  it('is mapped by its own toModelOutput', async () => {
    await serve([search, send, done])
    const secret = letters([], { toModelOutput: () => ({ type: 'text', value: 'Sent secretly.' }) })
    await agentFor(mastraTools([secret])).generate('Write', { maxSteps: 5 })
    expect(lastMessage()).toContain('"content":"Sent secretly."')
  })

  it.each([
    [claude!, '"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}'],
    [responses!, '"type":"input_image","image_url":"data:image/png;base64,aGk="'],
  ])('can return an image (%#)', async (model, expected) => {
    await serve([search, send, done], model)
    const value = [{ type: 'image-data', data: 'aGk=', mediaType: 'image/png' }]
    const photo = letters([], { toModelOutput: () => ({ type: 'content', value }) })
    await agentFor(mastraTools([photo]), { model }).generate('Photo', { maxSteps: 5 })
    expect(server.requests.at(-1)!.problem).toBeUndefined()
    expect(lastMessage()).toContain(expected)
  })
})

describe('approvals', () => {
  it.each([
    ['approveToolCallGenerate', ['Ann']],
    ['declineToolCallGenerate', []],
  ] as const)('pause a call until a person decides: %s', async (decide, expected) => {
    const ran: unknown[] = []
    await serve([search, send, done])
    const agent = withStorage(agentFor(mastraTools([letters(ran, { requireApproval: true })])))
    const paused = await agent.generate('Write', { maxSteps: 5 })
    expect(paused.finishReason).toBe('suspended')
    expect(ran).toEqual([])
    const { toolCallId } = paused.suspendPayload as { toolCallId: string }
    await agent[decide]({ runId: paused.runId!, toolCallId })
    expect(ran).toEqual(expected)
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('can depend on the arguments', async () => {
    const ran: unknown[] = []
    const tools = [letters(ran, { requireApproval: ({ to }: { to: string }) => to === 'Bob' })]
    await serve([search, send, call('send_letter', { to: 'Bob' }), done])
    const agent = withStorage(agentFor(mastraTools(tools)))
    const paused = await agent.generate('Write', { maxSteps: 5 })
    expect(paused.finishReason).toBe('suspended')
    expect(ran).toEqual(['Ann'])
  })

  it('can be given to another process', async () => {
    const ran: unknown[] = []
    await serve([search, send, done])
    const storage = new InMemoryStore()
    const store = createMemoryStore()
    const start = () => {
      const tools = mastraTools([letters(ran, { requireApproval: true })])
      const toolSearch = createToolSearch({ tools, activation: 'always', store })
      return withStorage(agentFor(toolSearch, { withTools: true }), storage)
    }
    const paused = await start().generate('Write', { maxSteps: 5 })
    const { toolCallId } = paused.suspendPayload as { toolCallId: string }
    await start().approveToolCallGenerate({ runId: paused.runId!, toolCallId })
    expect(lastMessage()).toContain('Sent to Ann.')
  })

  it('of all calls apply to calls through call_tool', async () => {
    const ran: unknown[] = []
    await serve([send, done])
    const agent = withStorage(agentFor(mastraTools([letters(ran)])))
    const paused = await agent.generate('Write', { maxSteps: 5, requireToolApproval: true })
    expect(paused.finishReason).toBe('suspended')
  })

  it.each([
    ['true', true],
    [
      'a function',
      ({ toolName, args }: { toolName: string; args: { name?: string } }) =>
        toolName === 'call_tool' && args.name === 'send_letter',
    ],
  ])('of all calls also apply if another tool has its own setting: %s', async (_, policy) => {
    const ran: unknown[] = []
    await serve([search, send, done])
    const other = createTool({
      id: 'burn_letter',
      description: 'Burns a letter',
      execute: async () => 'Burnt.',
      requireApproval: true,
    })
    const agent = withStorage(agentFor(mastraTools([letters(ran), other])))
    const requireToolApproval = policy as boolean
    const paused = await agent.generate('Write', { maxSteps: 5, requireToolApproval })
    const { toolCallId } = paused.suspendPayload as { toolCallId: string }
    if (policy === true) {
      // the search
      const next = await agent.approveToolCallGenerate({
        runId: paused.runId!,
        toolCallId,
        requireToolApproval,
      })
      expect(next.finishReason).toBe('suspended')
    }
    expect(paused.finishReason).toBe('suspended')
    expect(ran).toEqual([])
  })

  it('of a tool whose function decides replace those of all calls', async () => {
    const ran: unknown[] = []
    await serve([send, send, done])
    const own = { requireApproval: ({ to }: { to: string }) => to === 'Bob' }
    const agent = withStorage(agentFor(mastraTools([letters(ran, own)])))
    await agent.generate('Write', { maxSteps: 5, requireToolApproval: true })
    expect(ran).toEqual(['Ann'])
  })

  it('are asked for in another process, where the setting of the run is unknown', async () => {
    const ran: unknown[] = []
    await serve([])
    const tools = mastraTools([letters(ran, { requireApproval: true })])
    const toolSearch = createToolSearch({ tools: [...tools, { name: 'a' }], activation: 'always' })
    const { call_tool } = toolSearchProcessor(toolSearch).tools()
    expect(call_tool.requireApproval({ name: 'a', arguments: {} }, {})).toBe(true)
  })
})

it('a found tool can suspend the run and be resumed', async () => {
  const ask = createTool({
    id: 'send_letter',
    description: 'Asks',
    inputSchema: schema,
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: z.object({ answer: z.string() }),
    execute: async (_input, { agent } = {} as never) => {
      const { answer } = (agent?.resumeData ?? {}) as { answer?: string }
      return answer ? `You said ${answer}.` : agent?.suspend?.({ question: 'Which one?' })
    },
  })
  await serve([search, send, done])
  const agent = withStorage(agentFor(mastraTools([ask])))
  const paused = await agent.generate('Ask', { maxSteps: 5 })
  expect(paused.suspendPayload).toMatchObject({ suspendPayload: { question: 'Which one?' } })
  await agent.resumeGenerate({ answer: 'the red one' }, { runId: paused.runId! })
  expect(lastMessage()).toContain('You said the red one.')
})

describe('tools of the catalogue', () => {
  it('run without Mastra, and their errors are errors', async () => {
    await serve([search, send, call('burn_letter', {}), call('burn_letter', {}), done])
    const agent = agentFor([
      { name: 'send_letter', execute: () => ({ stamps: 2 }) },
      {
        name: 'burn_letter',
        execute: () => {
          throw new Error('No fire')
        },
      },
    ])
    await agent.generate('Write', { maxSteps: 9 })
    expect(lastMessage()).toContain('"content":"No fire","is_error":true')
    expect(server.requests[2]!.text).toContain('{\\"stamps\\":2}')
  })

  it.each([
    [claude!, '"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}'],
    [responses!, '"type":"input_image","image_url":"data:image/png;base64,aGk="'],
  ])('can return the image and the link of an MCP result (%#)', async (model, expected) => {
    await serve([search, send, done], model)
    const content = [
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a.png', name: 'a', description: 'The original' },
    ]
    const photo = { name: 'send_letter', execute: () => ({ content }) }
    await agentFor([photo], { model }).generate('Photo', { maxSteps: 5 })
    expect(server.requests.at(-1)!.problem).toBeUndefined()
    expect(lastMessage()).toContain(expected)
    expect(lastMessage()).toContain('a · file:///a.png · The original')
  })

  it.each(models)('reach $name with the schemas they have', async (model) => {
    const parameters = {
      type: 'object',
      properties: {
        values: { type: 'object', additionalProperties: true },
        limit: { type: 'integer', minimum: 1 },
      },
      required: ['values'],
      additionalProperties: false,
    }
    await serve([done], model)
    const keep = { name: 'keep', inputSchema: parameters, loading: 'eager' as const }
    const toolSearch = createToolSearch({ tools: [keep, { name: 'a' }], activation: 'always' })
    await agentFor(toolSearch, { model }).generate('Hello')
    const { body } = server.requests[0]!
    const sent = model.service().callableTools(body, {})
    const { searchTool } = await toolSearch.session('a')
    expect(sent).toEqual([
      { name: 'tool_search', schema: searchTool.inputSchema },
      { name: 'call_tool', schema: callTool('tool_search').inputSchema },
      { name: 'keep', schema: parameters },
    ])
  })

  it('that are never hidden are listed and called by name', async () => {
    const ran: unknown[] = []
    await serve([{ calls: [{ name: 'send_letter', arguments: { to: 'Ann' } }] }, done])
    const eager = { ...mastraTools([letters(ran)])[0]!, loading: 'eager' as const }
    await agentFor([eager, { name: 'hidden' }]).generate('Write', { maxSteps: 5 })
    const { tools } = server.requests[0]!.body as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(['tool_search', 'call_tool', 'send_letter'])
    expect(ran).toEqual(['Ann'])
  })
})

describe('a run', () => {
  it('ends when it is aborted, and so does the tool', async () => {
    const controller = new AbortController()
    let wasAborted = false
    await serve([search, send, done])
    const agent = agentFor([
      {
        name: 'send_letter',
        execute: (_input, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              wasAborted = true
              reject(signal.reason)
            })
            controller.abort()
          }),
      },
    ])
    await agent.generate('Write', { maxSteps: 5, abortSignal: controller.signal })
    expect(wasAborted).toBe(true)
    expect(server.requests).toHaveLength(2)
  })

  it('continues the conversation of an earlier one, in another process', async () => {
    const ran: unknown[] = []
    const store = createMemoryStore()
    const agentMemory = new MockMemory({ options: { lastMessages: 100 } })
    await serve([search, done, send, done])
    for (const text of ['Find it', 'Write']) {
      const tools = mastraTools([letters(ran)])
      const toolSearch = createToolSearch({ tools, activation: 'always', store })
      await agentFor(toolSearch, { memory: agentMemory }).generate(text, { memory, maxSteps: 5 })
    }
    expect(ran).toEqual(['Ann'])
    expect(prefixBreaks(anthropicMessages(), server.requests)).toEqual([])
  })

  it('reads the found tools from its messages if there is no memory', async () => {
    const ran: unknown[] = []
    await serve([search, done, send, done])
    const messages: unknown[] = []
    for (const content of ['Find it', 'Write']) {
      messages.push({ role: 'user', content })
      const agent = agentFor(mastraTools([letters(ran)]))
      const { response } = await agent.generate(messages as never, { maxSteps: 5 })
      messages.push(...response.messages!)
    }
    expect(ran).toEqual(['Ann'])
    expect(prefixBreaks(anthropicMessages(), server.requests)).toEqual([])
  })

  it('without memory gets news with the next result', async () => {
    const toolSearch = createToolSearch({ tools: [{ name: 'a' }], activation: 'always' })
    await serve([{}, { calls: [{ name: 'tool_search', arguments: { query: 'a' } }] }, done])
    const agent = agentFor(toolSearch, { session: () => toolSearch.session('mine') })
    await agent.generate('Hello', { maxSteps: 5 })
    toolSearch.catalogue.add([{ name: 'play_chess' }])
    await agent.generate('Search', { maxSteps: 5 })
    expect(lastMessage()).toContain('play_chess')
  })

  it('without memory gets news later if the model first calls a tool of the agent', async () => {
    const toolSearch = createToolSearch({ tools: [{ name: 'a' }], activation: 'always' })
    const clock = createTool({ id: 'clock', description: 'Time', execute: async () => 'Noon' })
    const time: Reply = { calls: [{ name: 'clock', arguments: {} }] }
    await serve([done, time, send, done])
    const agent = agentFor(toolSearch, { session: () => toolSearch.session('mine') })
    await agent.generate('Hello', { maxSteps: 5 })
    toolSearch.catalogue.add([
      { name: 'play_chess' },
      { name: 'send_letter', execute: () => 'Sent.' },
    ])
    await toolSearch.session('mine').then((session) => session.load(['send_letter']))
    await agent.generate('Time?', { maxSteps: 5, toolsets: { own: { clock } } })
    expect(server.requests).toHaveLength(4)
    expect(lastMessage()).toContain('Sent.')
    expect(lastMessage()).toContain('play_chess')
  })

  it('without memory never shares its session with another run', async () => {
    const toolSearch = createToolSearch({ tools: [{ name: 'send_letter' }], activation: 'always' })
    await serve([search, done, done])
    const ids: string[] = []
    const session = (id: string) => {
      ids.push(id)
      return toolSearch.session(id)
    }
    const agent = agentFor(toolSearch, { session })
    for (const text of ['Find it', 'Hello']) await agent.generate(text, { maxSteps: 5 })
    const [first, again, other] = ids
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect((await toolSearch.session(other!)).loaded).toEqual([])
  })

  it('sees only the tools that its request context allows', async () => {
    const toolSearch = createToolSearch({
      tools: [{ name: 'send_letter' }, { name: 'open_safe' }],
      activation: 'always',
    })
    await serve([done])
    const agent = agentFor(toolSearch, {
      session: (id, requestContext) =>
        toolSearch.session(id, { visible: requestContext?.get('allowed') as string[] }),
    })
    const requestContext = new RequestContext([['allowed', ['send_letter']]])
    await agent.generate('Hello', { requestContext })
    expect(server.requests[0]!.text).toContain('send_letter')
    expect(server.requests[0]!.text).not.toContain('open_safe')
  })
})
