import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import {
  type AgentMiddleware,
  createAgent,
  humanInTheLoopMiddleware,
  SystemMessage,
  type ToolCall,
  type ToolMessage,
  type ToolRuntime,
  tool,
  toolRetryMiddleware,
} from 'langchain'
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
import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'
import { prefixBreaks } from '../long-conversation.fixtures.ts'
import { models } from './langchain.fixtures.ts'
import { langchainTools } from './langchain-tools.ts'
import { toolSearchMiddleware } from './tool-search-middleware.ts'

const [claude, responses] = models
const search: Reply = {
  // LangChain sends no `strict`, so the Responses API requires all parameters
  calls: [{ name: 'tool_search', arguments: { query: 'select:send_letter', max_results: 5 } }],
}
const send: Reply = call('send_letter', { to: 'Ann' })
const done: Reply = { text: 'Done.' }
const thread = { configurable: { thread_id: 'a' } }
const say = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

// Their types need zod 3, and do not compile with exactOptionalPropertyTypes.
const humanInTheLoop = humanInTheLoopMiddleware as unknown as (options: object) => AgentMiddleware
const toolRetry = toolRetryMiddleware as unknown as (options: object) => AgentMiddleware

let server: CheckingServer
afterEach(() => server.close())

function call(name: string, input: unknown): Reply {
  return { calls: [{ name: 'call_tool', arguments: { name, arguments: input } }] }
}

async function start(tools: ToolInputs, replies: readonly Reply[], { service, model } = claude!) {
  server = inProcessServer({ service: service(), replies })
  return { toolSearch: createToolSearch({ tools, activation: 'always' }), model: model(server.url) }
}

/** A tool that records what it is called with. */
function letters(ran: unknown[] = []) {
  return tool(
    ({ to }) => {
      ran.push(to)
      return `Sent to ${to}.`
    },
    { name: 'send_letter', description: 'Sends a letter', schema: z.object({ to: z.string() }) },
  )
}

/** The results in the last request, as JSON. */
function lastRequest(): string {
  return JSON.stringify(server.requests.at(-1)!.body)
}

describe('a found tool of LangChain', () => {
  it('runs as LangChain runs it: with its runtime, artifact and callbacks', async () => {
    const started: string[] = []
    let runtime: ToolRuntime | undefined
    const letter = tool(
      ({ to }, given: ToolRuntime) => {
        runtime = given
        return [`Sent to ${to}.`, { stamp: 7 }]
      },
      {
        name: 'send_letter',
        description: 'Sends a letter',
        schema: z.object({ to: z.string() }),
        responseFormat: 'content_and_artifact',
      },
    )
    const { toolSearch, model } = await start(langchainTools([letter]), [search, send, done])
    const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
    const { messages } = await agent.invoke(say('Write to Ann'), {
      callbacks: [
        {
          handleToolStart: (_tool, input, _run, _parent, _tags, _data, name) => {
            started.push(`${name} ${input}`)
          },
        },
      ],
    })
    expect(started).toEqual([
      'tool_search {"query":"select:send_letter","max_results":5}',
      'send_letter {"to":"Ann"}',
    ])
    expect(runtime?.state).toHaveProperty('messages')
    const message = messages.at(-2) as ToolMessage
    expect(message).toMatchObject({
      name: 'call_tool',
      content: 'Sent to Ann.',
      artifact: { stamp: 7 },
      status: 'success',
    })
    expect(message.tool_call_id).toBe(runtime?.toolCallId)
  })

  it('gets its arguments once through the transforms of its schema', async () => {
    const ran: unknown[] = []
    const schema = z.object({ day: z.string().transform((text) => new Date(text)) })
    const plan = tool(({ day }) => String(ran.push(day.toISOString())), {
      name: 'plan_day',
      description: 'Plans a day',
      schema,
    })
    const { toolSearch, model } = await start(langchainTools([plan]), [
      call('plan_day', { day: '2026-01-01' }),
      { ...call('plan_day', '{"day":"2026-01-01"}'), unconstrained: true },
      done,
    ])
    const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
    await agent.invoke(say('Plan'))
    expect(ran).toEqual(['2026-01-01T00:00:00.000Z'])
  })

  it('answers the model when it throws, and the agent goes on', async () => {
    const broken = tool(
      (): string => {
        throw new Error('No stamps left')
      },
      { name: 'send_letter', description: 'Sends a letter', schema: z.object({ to: z.string() }) },
    )
    const { toolSearch, model } = await start(langchainTools([broken]), [search, send, done])
    const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
    const { messages } = await agent.invoke(say('Write'))
    expect(messages.at(-2)).toMatchObject({ content: 'No stamps left', status: 'error' })
    expect(messages.at(-1)!.content).toBe('Done.')
  })

  it('can interrupt the run and be resumed', async () => {
    const ask = tool(() => `You said ${interrupt('Which one?')}.`, {
      name: 'send_letter',
      description: 'Asks',
      schema: z.object({ to: z.string() }),
    })
    const { toolSearch, model } = await start(langchainTools([ask]), [search, send, done])
    const agent = createAgent({
      model,
      middleware: [toolSearchMiddleware(toolSearch)],
      checkpointer: new MemorySaver(),
    })
    const paused = await agent.invoke(say('Ask'), thread)
    expect(paused).toHaveProperty('__interrupt__')
    const { messages } = await agent.invoke(new Command({ resume: 'the red one' }), thread)
    expect(messages.at(-2)!.content).toBe('You said the red one.')
  })

  it('appears under its own name to middleware that comes after', async () => {
    let attempts = 0
    const flaky = tool(
      () => {
        attempts += 1
        if (attempts < 3) throw new Error('Try again')
        return 'Sent.'
      },
      { name: 'send_letter', description: 'Sends', schema: z.object({ to: z.string() }) },
    )
    const { toolSearch, model } = await start(langchainTools([flaky]), [search, send, done])
    const retry = toolRetry({ tools: ['send_letter'], maxRetries: 3, initialDelayMs: 0 })
    const middleware = [toolSearchMiddleware(toolSearch), retry]
    const { messages } = await createAgent({ model, middleware }).invoke(say('Write'))
    expect(messages.at(-2)!.content).toBe('Sent.')
    expect(attempts).toBe(3)
  })

  it.each([
    [claude!, '"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}'],
    [responses!, '"type":"input_image","detail":"auto","image_url":"data:image/png;base64,aGk="'],
  ])('can return an image (%#)', async (model, expected) => {
    const photo = tool(() => [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }], {
      name: 'send_letter',
      description: 'Takes a photo',
      schema: z.object({ to: z.string() }),
    })
    const started = await start(langchainTools([photo]), [search, send, done], model)
    const middleware = [toolSearchMiddleware(started.toolSearch)]
    await createAgent({ model: started.model, middleware }).invoke(say('Photo'))
    expect(server.requests.at(-1)!.problem).toBeUndefined()
    expect(lastRequest()).toContain(expected)
  })
})

describe('approvals', () => {
  const ran: unknown[] = []
  async function startWithApproval(replies: readonly Reply[]) {
    const { toolSearch, model } = await start(langchainTools([letters(ran)]), replies)
    const approval = humanInTheLoop({
      interruptOn: {
        call_tool: {
          allowedDecisions: ['approve', 'reject'],
          when: ({ toolCall }: { toolCall: ToolCall }) => toolCall.args.name === 'send_letter',
        },
      },
    })
    return createAgent({
      model,
      middleware: [toolSearchMiddleware(toolSearch), approval],
      checkpointer: new MemorySaver(),
    })
  }

  it.each([
    ['approve', ['Ann']],
    ['reject', []],
  ])('pause a call until a person decides: %s', async (type, expected) => {
    ran.length = 0
    const agent = await startWithApproval([search, send, done])
    const paused = await agent.invoke(say('Write'), thread)
    expect(JSON.stringify(paused)).toContain('"actionName":"call_tool"')
    expect(ran).toEqual([])
    await agent.invoke(new Command({ resume: { decisions: [{ type }] } }), thread)
    expect(ran).toEqual(expected)
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
  })

  it.each([
    ['that was found', [search, send, done], ['Ann']],
    ['that was never found', [call('play_chess', {}), send, done], []],
  ])('resume in another process with a call to a tool %s', async (_name, replies, expected) => {
    ran.length = 0
    const started = await start(langchainTools([letters(ran)]), replies)
    const checkpointer = new MemorySaver()
    const interruptOn = {
      call_tool: {
        allowedDecisions: ['approve'],
        when: ({ toolCall }: { toolCall: ToolCall }) => toolCall.args.name === 'send_letter',
      },
    }
    const createAgentAgain = () => {
      const tools = langchainTools([letters(ran)])
      const toolSearch = createToolSearch({ tools, activation: 'always' })
      const middleware = [toolSearchMiddleware(toolSearch), humanInTheLoop({ interruptOn })]
      return createAgent({ model: started.model, middleware, checkpointer })
    }
    await createAgentAgain().invoke(say('Write'), thread)
    const resume = { decisions: [{ type: 'approve' }] }
    const { messages } = await createAgentAgain().invoke(new Command({ resume }), thread)
    expect(ran).toEqual(expected)
    expect(messages.at(-1)!.content).toBe('Done.')
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
  })

  it('cannot be avoided by calling a hidden tool by its own name', async () => {
    ran.length = 0
    const calls = [{ name: 'send_letter', arguments: { to: 'Ann' } }]
    const direct: Reply = { calls, unconstrained: true }
    const agent = await startWithApproval([search, direct, done])
    const { messages } = await agent.invoke(say('Write'), thread)
    expect(ran).toEqual([])
    expect(messages.at(-2)).toMatchObject({
      status: 'error',
      content: expect.stringContaining('Call it through call_tool'),
    })
  })
})

describe('tools of the catalogue', () => {
  it('run without LangChain, with callbacks and errors', async () => {
    const started: unknown[] = []
    const { toolSearch, model } = await start(
      [
        { name: 'send_letter', description: 'Sends a letter', execute: () => ({ stamps: 2 }) },
        {
          name: 'burn_letter',
          execute: () => {
            throw new Error('No fire')
          },
        },
      ],
      [search, send, call('burn_letter', {}), call('burn_letter', {}), done],
    )
    const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
    const { messages } = await agent.invoke(say('Write'), {
      callbacks: [{ handleToolStart: (...args) => void started.push(args[6]) }],
    })
    const results = messages.filter(({ type }) => type === 'tool') as ToolMessage[]
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'error', 'error'])
    expect(results[1]!.content).toBe('{"stamps":2}')
    expect(results[3]!.content).toBe('No fire')
    expect(started).toEqual(['tool_search', 'call_tool', 'call_tool', 'call_tool'])
  })

  it.each([
    [claude!, '"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}'],
    [responses!, '"type":"input_image","detail":"auto","image_url":"data:image/png;base64,aGk="'],
  ])('can return the image and the link of an MCP result (%#)', async (model, expected) => {
    const content = [
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a.png', name: 'a', description: 'The original' },
    ]
    const photo = { name: 'send_letter', execute: () => ({ content }) }
    const started = await start([photo], [search, send, done], model)
    const middleware = [toolSearchMiddleware(started.toolSearch)]
    await createAgent({ model: started.model, middleware }).invoke(say('Photo'))
    expect(server.requests.at(-1)!.problem).toBeUndefined()
    expect(lastRequest()).toContain(expected)
    expect(lastRequest()).toContain('a · file:///a.png · The original')
  })

  it('that are never hidden are listed and called by name, like the tools of the agent', async () => {
    const ran: unknown[] = []
    const own = tool(() => String(ran.push('clock')), { name: 'clock', description: 'Time' })
    const eager = { ...langchainTools([letters(ran)])[0]!, loading: 'eager' as const }
    const { toolSearch, model } = await start(
      [eager, { name: 'hidden' }],
      [
        {
          calls: [
            { name: 'send_letter', arguments: { to: 'Ann' } },
            { name: 'clock', arguments: { input: '' } },
          ],
        },
        done,
      ],
    )
    const agent = createAgent({
      model,
      tools: [own],
      middleware: [toolSearchMiddleware(toolSearch)],
    })
    await agent.invoke(say('Write'))
    const { tools } = server.requests[0]!.body as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual([
      'clock',
      'tool_search',
      'call_tool',
      'send_letter',
    ])
    expect(ran.sort()).toEqual(['Ann', 'clock'])
  })
})

describe('a run', () => {
  it('ends when it is aborted, and so does the tool', async () => {
    const controller = new AbortController()
    let wasAborted = false
    const { toolSearch, model } = await start(
      [
        {
          name: 'send_letter',
          execute: (_input, { signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                wasAborted = true
                reject(signal.reason)
              })
              controller.abort(new Error('The user left'))
            }),
        },
      ],
      [search, send, done],
    )
    const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
    const failed: string[] = []
    const callbacks = [{ handleToolError: (error: Error) => void failed.push(error.message) }]
    const config = { signal: controller.signal, callbacks }
    await expect(agent.invoke(say('Write'), config)).rejects.toThrow()
    expect(wasAborted).toBe(true)
    await expect.poll(() => failed).toEqual(['The user left'])
    expect(server.requests).toHaveLength(2)
  })

  it('continues the conversation of an earlier one, in another process', async () => {
    const store = createMemoryStore()
    const checkpointer = new MemorySaver()
    const ran: unknown[] = []
    const { model } = await start([], [search, done, send, done])
    for (const text of ['Find it', 'Write']) {
      const toolSearch = createToolSearch({
        tools: langchainTools([letters(ran)]),
        activation: 'always',
        store,
      })
      const middleware = [toolSearchMiddleware(toolSearch)]
      await createAgent({ model, middleware, checkpointer }).invoke(say(text), thread)
    }
    expect(ran).toEqual(['Ann'])
    expect(prefixBreaks(anthropicMessages(), server.requests)).toEqual([])
  })

  it('reads the found tools from its messages if there is neither a thread nor a store', async () => {
    const ran: unknown[] = []
    const { model } = await start([], [search, done, send, done])
    let messages: unknown[] = []
    for (const content of ['Find it', 'Write']) {
      const toolSearch = createToolSearch({
        tools: langchainTools([letters(ran)]),
        activation: 'always',
      })
      const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
      const input = [...messages, { role: 'user', content }] as never
      messages = (await agent.invoke({ messages: input })).messages
    }
    expect(ran).toEqual(['Ann'])
    expect(prefixBreaks(anthropicMessages(), server.requests)).toEqual([])
  })

  it('sees only the tools that its context allows', async () => {
    const { toolSearch, model } = await start(
      [{ name: 'send_letter' }, { name: 'open_safe' }],
      [done, done],
    )
    const middleware = toolSearchMiddleware(toolSearch, {
      session: (id, { context }) =>
        toolSearch.session(id, { visible: (context as { allowed: string[] }).allowed }),
    })
    // LangChain passes a middleware only the part of the context that its schema describes.
    const contextSchema = z.object({ allowed: z.array(z.string()) })
    const agent = createAgent({ model, middleware: [{ ...middleware, contextSchema }] })
    await agent.invoke(say('Hello'), { context: { allowed: ['send_letter'] } })
    expect(lastRequest()).toContain('send_letter')
    expect(lastRequest()).not.toContain('open_safe')
  })

  it('never gets the tools of a parallel run in the same thread that has another session', async () => {
    const { toolSearch } = await start([{ name: 'send_letter' }, { name: 'open_safe' }], [])
    const middleware = toolSearchMiddleware(toolSearch, {
      session: (id, { configurable }) => {
        const allowed = configurable!.allowed as string
        return toolSearch.session(`${id}/${allowed}`, { visible: [allowed] })
      },
    })
    const state = { messages: [{ id: '1', type: 'human' }] }
    const runs = ['send_letter', 'open_safe'].map((allowed) => ({
      configurable: { thread_id: 'a', allowed },
    }))
    for (const run of runs) await middleware.beforeModel(state, run)
    const systemMessage = { text: '', concat: (text: string) => ({ text }) }
    const requests = runs.map((runtime) =>
      middleware.wrapModelCall({ tools: [], systemMessage, state, runtime }, JSON.stringify),
    )
    const [letter, safe] = await Promise.all(requests)
    expect(letter).toContain('- send_letter')
    expect(letter).not.toContain('- open_safe')
    expect(safe).toContain('- open_safe')
  })

  it('does not share its session with another run that starts with the same system message', async () => {
    const { toolSearch, model } = await start([{ name: 'a' }], [done, done])
    const ids: string[] = []
    const session = (id: string) => {
      ids.push(id)
      return toolSearch.session(id)
    }
    const agent = createAgent({
      model,
      middleware: [toolSearchMiddleware(toolSearch, { session })],
    })
    const first = new SystemMessage('You help.')
    for (const text of ['Hello', 'Hello']) {
      await agent.invoke({ messages: [first, { role: 'user', content: text }] })
    }
    expect(new Set(ids).size).toBe(2)
  })

  it('gets news that came after its request was planned with the next request', async () => {
    const toolSearch: ToolSearch = createToolSearch({
      tools: [{ name: 'a' }],
      activation: 'always',
    })
    server = inProcessServer({ service: anthropicMessages() })
    const state = { messages: [{ id: '1', type: 'human' }] }
    await toolSearchMiddleware(toolSearch).beforeModel(state, thread)
    toolSearch.catalogue.add([{ name: 'play_chess' }])
    const elsewhere = toolSearchMiddleware(toolSearch)
    const systemMessage = { text: '', concat: (text: string) => ({ text }) }
    const request = { tools: [], systemMessage, state, runtime: thread }
    await elsewhere.wrapModelCall(request, (given) => given)
    expect(await elsewhere.beforeModel(state, thread)).toMatchObject({
      messages: [{ role: 'user', content: expect.stringContaining('play_chess') }],
    })
    expect(await elsewhere.beforeModel(state, thread)).toBeUndefined()
  })
})
