import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  tool,
  toolSearch as toolSearchOfSdk,
  type UIMessage,
} from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  claudeCode,
  claudeCodeWiki,
  cortex,
  createToolSearch,
  dirge,
  everruns,
  everrunsLatest,
  InvalidToolError,
  nexo,
  unified,
} from '../../index.ts'
import {
  lastResults,
  manyTools,
  modelSaying,
  type SomeTools,
  search,
  sentNames,
  someTools,
} from './ai-sdk.fixtures.ts'
import { type AiSdkSettings, aiSdk } from './index.ts'

const stopWhen = isStepCount(20)
const prompt = 'Do something'
const newSession = (id = 'a') => createToolSearch({ activation: 'always' }).session(id)

describe('aiSdk: the list of tools', () => {
  it('begins with the search tool and what is always there, and grows only at its end', async () => {
    const model = modelSaying([search('letter')], [search('zebra')], [search('weather')], 'Done.')
    const settings = aiSdk(await newSession(), { tools: someTools() })
    await generateText({ model, prompt, ...settings, stopWhen })
    expect(sentNames(model)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra', 'weather'],
    ])
  })

  it('keeps its beginning, to the byte, over ten steps of a call and ten of the next', async () => {
    const tools = manyTools(60)
    const session = await newSession()
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const requests: string[] = []
    for (const part of [0, 1]) {
      const steps = Array.from({ length: 10 }, (_, index) => [
        search(`thing number${(part * 10 + index) * 2}`),
      ])
      const model = modelSaying(...steps, 'Done.')
      const { responseMessages } = await generateText({
        model,
        messages,
        instructions: 'Be kind.',
        ...aiSdk(session, { tools }),
        stopWhen,
      })
      messages.push(...responseMessages, { role: 'user', content: 'And now?' })
      for (const { prompt: sent, tools: list } of model.doGenerateCalls) {
        requests.push(JSON.stringify([sent[0], list]).slice(0, -2))
      }
    }
    expect(requests).toHaveLength(22)
    for (const [index, request] of requests.slice(1).entries()) {
      expect(request.startsWith(requests[index]!)).toBe(true)
    }
    expect(session.loaded.length).toBeGreaterThanOrEqual(20)
  })

  it('is short however many tools there are', async () => {
    const model = modelSaying([search('number123')], 'Done.')
    const session = await createToolSearch().session('a')
    await generateText({ model, prompt, ...aiSdk(session, { tools: manyTools(500) }), stopWhen })
    expect(sentNames(model)).toEqual([['tool_search'], ['tool_search', 'tool_123']])
  })

  it('has everything and no search tool while there is little', async () => {
    const model = modelSaying('Done.')
    const session = await createToolSearch().session('a')
    await generateText({ model, prompt, ...aiSdk(session, { tools: someTools() }) })
    expect(sentNames(model)).toEqual([['zebra', 'shell', 'weather', 'mail', 'ask']])
    expect(JSON.stringify(model.doGenerateCalls[0]!.prompt)).not.toContain('tool_search')
  })

  it('keeps the search tool when everything is loaded', async () => {
    const model = modelSaying([search('select:mail,zebra,weather')], 'Done.')
    await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools() }),
      stopWhen,
    })
    expect(sentNames(model)[1]).toEqual(['tool_search', 'shell', 'ask', 'mail', 'zebra', 'weather'])
    const [first, second] = model.doGenerateCalls.map((call) => call.prompt[0])
    expect(second).toEqual(first)
  })

  it('is the same in a stream', async () => {
    const ran: unknown[] = []
    const model = modelSaying(
      [search('letter')],
      [{ name: 'mail', input: { to: 'Ann' } }],
      [search('zebra')],
      'Done.',
    )
    const settings = aiSdk(await newSession(), { tools: someTools(ran) })
    const result = streamText({ model, prompt, ...settings, stopWhen })
    expect(await result.text).toBe('Done.')
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
    expect(sentNames(model).slice(2)).toEqual([
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra'],
    ])
  })

  it('is the same for an agent, from one call to the next', async () => {
    const model = modelSaying([search('letter')], 'Found.', [search('zebra')], 'Done.')
    const agent = new ToolLoopAgent({
      model,
      ...aiSdk(await newSession(), { tools: someTools() }),
    })
    await agent.generate({ prompt })
    await agent.generate({ prompt })
    expect(sentNames(model)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra'],
    ])
  })

  it('has tools of the provider first, and never hides them', async () => {
    const model = modelSaying([search('letter')], 'Done.')
    const browser = {
      type: 'provider' as const,
      id: 'mock.browser' as const,
      isProviderExecuted: true as const,
      args: {},
      inputSchema: z.object({}),
      outputSchema: z.object({}),
    }
    const tools = { ...someTools(), browser }
    await generateText({ model, prompt, ...aiSdk(await newSession(), { tools }), stopWhen })
    expect(sentNames(model)).toEqual([
      ['browser', 'tool_search', 'shell', 'ask'],
      ['browser', 'tool_search', 'shell', 'ask', 'mail'],
    ])
  })

  it('sends each schema as the SDK would', async () => {
    const tools = someTools()
    const plain = modelSaying('Done.')
    await generateText({ model: plain, prompt, tools })
    const ours = modelSaying('Done.')
    const session = await createToolSearch({ activation: 'never' }).session('a')
    await generateText({ model: ours, prompt, ...aiSdk(session, { tools }) })
    expect(ours.doGenerateCalls[0]!.tools).toEqual(plain.doGenerateCalls[0]!.tools)
  })

  it('refuses a tool with the name of the search tool', async () => {
    const session = await newSession()
    const tools = { tool_search: someTools().mail }
    expect(() => aiSdk(session, { tools })).toThrow(InvalidToolError)
  })
})

describe("the SDK's own toolSearch()", () => {
  it('puts what it found between the others and forgets it with the call; ours does not', async () => {
    const tools = Object.fromEntries(
      Object.entries(someTools()).map(([name, one]) => [
        name,
        { ...one, deferLoading: one.deferLoading !== false },
      ]),
    )
    const theirs = modelSaying([search('letter')], 'Done.', 'Again.')
    const withTheirs = { tools: { tool_search: toolSearchOfSdk(), ...tools }, stopWhen, prompt }
    await generateText({ model: theirs, ...withTheirs })
    await generateText({ model: theirs, ...withTheirs })
    expect(sentNames(theirs)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'mail', 'ask'],
      ['tool_search', 'shell', 'ask'],
    ])

    const ours = modelSaying([search('letter')], 'Done.', 'Again.')
    const withOurs = { ...aiSdk(await newSession(), { tools }), stopWhen, prompt }
    await generateText({ model: ours, ...withOurs })
    await generateText({ model: ours, ...withOurs })
    expect(sentNames(ours)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail'],
    ])
  })
})

describe('aiSdk: what is remembered', () => {
  it('comes back from a snapshot', async () => {
    const first = await newSession()
    const found = modelSaying([search('letter')], [search('zebra')], 'Done.')
    const tools = someTools()
    await generateText({ model: found, prompt, ...aiSdk(first, { tools }), stopWhen })

    const snapshot = JSON.parse(JSON.stringify(first.snapshot()))
    const second = await createToolSearch({ activation: 'always' }).restore(snapshot)
    const model = modelSaying('Done.')
    await generateText({ model, prompt, ...aiSdk(second, { tools }) })
    expect(sentNames(model)[0]).toEqual(sentNames(found).at(-1))
    expect(model.doGenerateCalls[0]!.prompt[0]).toEqual(found.doGenerateCalls[0]!.prompt[0])
  })

  it('is read from the messages by a session that knows nothing', async () => {
    const found = modelSaying(
      [search('letter')],
      [{ name: 'mail', input: { to: 'Ann' } }],
      [search('zebra')],
      'Done.',
    )
    const tools = someTools()
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const { responseMessages } = await generateText({
      model: found,
      messages,
      ...aiSdk(await newSession(), { tools }),
      stopWhen,
    })
    messages.push(...responseMessages, { role: 'user', content: 'And now?' })

    const model = modelSaying('Done.')
    await generateText({ model, messages, ...aiSdk(await newSession('b'), { tools }) })
    expect(sentNames(model)[0]).toEqual(sentNames(found).at(-1))
    expect(model.doGenerateCalls[0]!.prompt[0]).toEqual(found.doGenerateCalls[0]!.prompt[0])
  })

  it.each(['append', 'reference', 'client'] as const)(
    'is read from the messages of a page, in the mode %s',
    async (mode) => {
      const query = { query: 'letter' }
      const input = mode === 'client' ? { arguments: query, call_id: 'call_x' } : query
      const found = modelSaying([{ name: 'tool_search', input }], 'Done.')
      const settings = aiSdk(await newSession(), { tools: someTools(), mode })
      const result = streamText({ model: found, prompt, ...settings, stopWhen })
      const page: UIMessage[] = [{ id: '1', role: 'user', parts: [{ type: 'text', text: prompt }] }]
      let reply: UIMessage | undefined
      for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) {
        reply = message
      }
      page.push(JSON.parse(JSON.stringify(reply)))

      const other = await newSession('b')
      const again = aiSdk(other, { tools: someTools(), mode })
      const model = modelSaying('Done.')
      const messages = await convertToModelMessages(page, { tools: again.tools })
      await generateText({ model, messages, ...again })
      expect(other.loaded).toEqual(['mail'])
      expect(model.doGenerateCalls[0]!.tools).toEqual(found.doStreamCalls.at(-1)!.tools)

      const third = (await newSession('c')).withTools([{ name: 'mail' }])
      expect(await third.rebuild(page)).toEqual(['mail'])
    },
  )

  it('is not shared with another conversation, nor are its tools', async () => {
    const toolSearch = createToolSearch({ activation: 'always' })
    const { mail, ...others } = someTools()
    const first = modelSaying([search('select:mail')], 'Done.')
    await generateText({
      model: first,
      prompt,
      ...aiSdk(await toolSearch.session('ann'), { tools: { mail, ...others } }),
      stopWhen,
    })
    const second = modelSaying([search('select:mail')], 'Done.')
    await generateText({
      model: second,
      prompt,
      ...aiSdk(await toolSearch.session('bob'), { tools: others }),
      stopWhen,
    })
    expect(sentNames(second)[1]).toEqual(['tool_search', 'shell', 'ask'])
    expect(JSON.stringify(second.doGenerateCalls[0]!.prompt)).not.toContain('mail')
    expect(lastResults(second)[0]).toContain('1 name not found')
  })

  it.each(['append', 'reference', 'client'] as const)(
    'shows no tool the session may not use, in the mode %s',
    async (mode) => {
      const toolSearch = createToolSearch({ activation: 'always' })
      const session = await toolSearch.session('a', { visible: ['shell', 'weather'] })
      const model = modelSaying([{ name: 'mail', input: { to: 'Ann' } }], 'Done.')
      const ran: unknown[] = []
      const tools = someTools(ran)
      await generateText({ model, prompt, ...aiSdk(session, { tools, mode }), stopWhen })
      expect(ran).toEqual([])
      expect(JSON.stringify(model.doGenerateCalls[0])).not.toMatch(/mail|zebra|ask/)
      expect(lastResults(model)[0]).toContain('There is no tool named')
    },
  )

  it('includes a tool that was in use before there was anything to search', async () => {
    const toolSearch = createToolSearch({ activation: { usageShare: 0.1 }, contextWindow: 100 })
    const session = await toolSearch.session('a')
    const first = modelSaying([{ name: 'weather', input: { city: 'Ulm' } }], 'Done.')
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const { responseMessages } = await generateText({
      model: first,
      messages,
      ...aiSdk(session, { tools: someTools() }),
      stopWhen: isStepCount(1),
    })
    messages.push(...responseMessages)
    const second = modelSaying([{ name: 'shell', input: { command: 'ls' } }], 'Done.')
    const settings = aiSdk(session, { tools: someTools() })
    await generateText({ model: second, messages, ...settings, stopWhen })
    expect(sentNames(second)).toEqual([
      ['shell', 'ask', 'zebra', 'weather', 'mail'],
      ['tool_search', 'shell', 'ask', 'weather'],
    ])
  })
})

describe('aiSdk: what the model is told', () => {
  it.each([
    ['nothing', undefined],
    ['a text', 'Be kind.'],
    ['a message', { role: 'system' as const, content: 'Be kind.' }],
    ['messages', [{ role: 'system' as const, content: 'Be kind.' }]],
  ])('is added to instructions that are %s, the same in each step', async (_, instructions) => {
    const model = modelSaying([search('letter')], [search('zebra')], 'Done.')
    const settings = aiSdk(await newSession(), { tools: someTools() })
    const own = instructions === undefined ? {} : { instructions }
    await generateText({ model, prompt, ...own, ...settings, stopWhen })
    const told = model.doGenerateCalls.map((call) =>
      call.prompt.filter(({ role }) => role === 'system').map(({ content }) => content),
    )
    expect(told[0]!.join('\n\n')).toMatch(
      instructions === undefined ? /^You have more tools/ : /^Be kind\.\n\nYou have more tools/,
    )
    expect(told[0]!.join()).toContain('- mail\n- weather\n- zebra')
    expect(told[1]).toEqual(told[0])
    expect(told[2]).toEqual(told[0])
  })

  it('comes at the end when tools come or go, and stays there', async () => {
    const session = await newSession()
    const { mail, ...others } = someTools()
    await generateText({
      model: modelSaying('Done.'),
      prompt,
      ...aiSdk(session, { tools: others }),
    })
    const model = modelSaying([search('letter')], 'Done.')
    const tools = { mail, ...others }
    await generateText({ model, prompt, ...aiSdk(session, { tools }), stopWhen })
    for (const { prompt: sent } of model.doGenerateCalls) {
      expect(JSON.stringify(sent[0])).not.toContain('- mail')
      expect(sent[2]).toMatchObject({
        role: 'user',
        content: [{ type: 'text', text: 'New tools available through search:\n- mail' }],
      })
    }
  })
})

describe('aiSdk: a call that should not run', () => {
  const streamed = [false, true] as const
  async function run(
    model: ReturnType<typeof modelSaying>,
    settings: AiSdkSettings<SomeTools>,
    inStream: boolean,
  ) {
    const call = { model, prompt, ...settings, stopWhen }
    if (inStream) await streamText(call).consumeStream()
    else await generateText(call)
  }

  it.each(streamed)(
    'is answered with the schema of a tool not loaded yet; stream: %s',
    async (s) => {
      const ran: unknown[] = []
      const weather = { name: 'weather', input: { city: 'Ulm' } }
      const model = modelSaying([weather, weather], 'Done.')
      await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), s)
      const results = lastResults(model).map((text) => JSON.parse(text))
      expect(results).toHaveLength(2)
      for (const result of results) {
        expect(result).toMatchObject({ name: 'weather', inputSchema: { required: ['city'] } })
        expect(result.error).toContain('Call it again')
      }
      expect(ran).toEqual([])
      expect(sentNames(model)[1]).toEqual(['tool_search', 'shell', 'ask', 'weather'])
    },
  )

  it.each(streamed)('is answered when the same reply finds its tool; stream: %s', async (s) => {
    const ran: unknown[] = []
    const weather = { name: 'weather', input: { city: 'Ulm' } }
    const model = modelSaying([search('weather'), weather], [weather], 'Done.')
    await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), s)
    expect(ran).toEqual([['weather', { city: 'Ulm' }]])
    expect(model.doGenerateCalls.length + model.doStreamCalls.length).toBe(3)
  })

  it.each(streamed)(
    'is answered with close names where there is no such tool; stream: %s',
    async (s) => {
      const model = modelSaying([{ name: 'wether', input: {} }], 'Done.')
      await run(model, aiSdk(await newSession(), { tools: someTools() }), s)
      expect(JSON.parse(lastResults(model)[0]!)).toMatchObject({ closest: ['weather'] })
    },
  )

  it.each(streamed)('is answered with what a schema of zod finds wrong; stream: %s', async (s) => {
    const ran: unknown[] = []
    const model = modelSaying(
      [search('weather')],
      [{ name: 'weather', input: { city: 'U' } }],
      'Done.',
    )
    await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), s)
    expect(JSON.parse(lastResults(model)[0]!)).toMatchObject({
      problems: [expect.stringMatching(/^"city": .*2/)],
      inputSchema: { required: ['city'] },
    })
    expect(ran).toEqual([])
  })

  it('is answered where a schema only describes, as those of MCP servers do', async () => {
    const ran: unknown[] = []
    const model = modelSaying([search('letter')], [{ name: 'mail', input: { to: 7 } }], 'Done.')
    await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), false)
    expect(JSON.parse(lastResults(model)[0]!)).toMatchObject({
      problems: ['"to" must be string, not number'],
      inputSchema: { required: ['to'] },
    })
    expect(ran).toEqual([])
  })

  it('is answered where its arguments are no JSON', async () => {
    const model = modelSaying([{ name: 'shell', input: '{"command":' }], 'Done.')
    await run(model, aiSdk(await newSession(), { tools: someTools() }), false)
    expect(lastResults(model)[0]).toContain('the arguments are not valid JSON')
  })

  it('runs where a schema makes of the arguments what it needs', async () => {
    const ran: unknown[] = []
    const tools = {
      wait: tool({
        description: 'Waits',
        inputSchema: z.object({ seconds: z.coerce.number() }),
        execute: (input) => void ran.push(input),
      }),
    }
    const model = modelSaying(
      [search('select:wait')],
      [{ name: 'wait', input: { seconds: '5' } }],
      '',
    )
    await generateText({ model, prompt, ...aiSdk(await newSession(), { tools }), stopWhen })
    expect(ran).toEqual([{ seconds: 5 }])
  })

  it('runs where it was approved before this process knew of anything', async () => {
    const ran: unknown[] = []
    const model = modelSaying([search('letter')], [{ name: 'mail', input: { to: 'Ann' } }])
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const toolApproval = { mail: 'user-approval' as const }
    const asked = await generateText({
      model,
      messages,
      ...aiSdk(await newSession(), { tools: someTools(ran) }),
      toolApproval,
      stopWhen,
    })
    const request = asked.content.find((part) => part.type === 'tool-approval-request')!
    messages.push(...asked.responseMessages, {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: true }],
    })
    await generateText({
      model: modelSaying('Done.'),
      messages,
      ...aiSdk(await newSession('b'), { tools: someTools(ran) }),
      toolApproval,
    })
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
  })
})

describe('aiSdk: a tool the model is made to call', () => {
  it('is loaded, last in the list', async () => {
    const model = modelSaying([{ name: 'mail', input: { to: 'Ann' } }])
    const session = await newSession()
    await generateText({
      model,
      prompt,
      ...aiSdk(session, { tools: someTools(), toolChoice: { type: 'tool', toolName: 'mail' } }),
    })
    expect(sentNames(model)[0]).toEqual(['tool_search', 'shell', 'ask', 'mail'])
    expect(model.doGenerateCalls[0]!.toolChoice).toEqual({ type: 'tool', toolName: 'mail' })
    expect(session.loaded).toEqual(['mail'])
  })

  it('can be chosen for one step by a prepareStep that calls ours', async () => {
    const model = modelSaying([{ name: 'mail', input: { to: 'Ann' } }], 'Done.')
    const settings = aiSdk(await newSession(), { tools: someTools() })
    await generateText({
      model,
      prompt,
      ...settings,
      prepareStep: (options) =>
        settings.prepareStep({
          ...options,
          toolChoice: options.stepNumber === 0 ? { type: 'tool', toolName: 'mail' } : 'auto',
        }),
      stopWhen,
    })
    expect(model.doGenerateCalls.map(({ toolChoice }) => toolChoice!.type)).toEqual([
      'tool',
      'auto',
    ])
    expect(sentNames(model)[0]).toEqual(sentNames(model)[1])
  })
})

describe('aiSdk with a preset', () => {
  it.each([unified, claudeCode, claudeCodeWiki, cortex, dirge, nexo, everruns, everrunsLatest])(
    'finds and runs a tool: $preset',
    async (preset) => {
      const ran: unknown[] = []
      const toolSearch = createToolSearch({ preset, activation: 'always', loading: 'sticky' })
      const session = await toolSearch.session('a')
      const model = modelSaying(
        [{ name: session.searchTool.name, input: { query: 'mail' } }],
        [{ name: 'mail', input: { to: 'Ann' } }],
        'Done.',
      )
      const tools = someTools(ran)
      await generateText({ model, prompt, ...aiSdk(session, { tools }), stopWhen })
      expect(ran).toEqual([['mail', { to: 'Ann' }]])
      expect(sentNames(model)[2]).toEqual(sentNames(model)[1])
    },
  )
})

it('keeps the types of the tools that were given', async () => {
  const settings = aiSdk(await newSession(), { tools: someTools() })
  const { toolCalls } = await generateText({ model: modelSaying('Done.'), prompt, ...settings })
  for (const call of toolCalls) {
    if (!call.dynamic && call.toolName === 'weather') call.input.city satisfies string
  }
  // @ts-expect-error: no such tool
  aiSdk(await newSession(), { tools: someTools(), toolChoice: { type: 'tool', toolName: 'x' } })
})
