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
import { createToolSearch, everruns, InvalidToolError } from '../../index.ts'
import { allPresets } from '../../presets/all-presets.fixtures.ts'
import {
  lastResults,
  manyTools,
  type SomeTools,
  scriptedModel,
  search,
  sentNames,
  someTools,
} from './ai-sdk.fixtures.ts'
import { type AiSdkSettings, aiSdk } from './index.ts'

const stopWhen = isStepCount(20)
const prompt = 'Do something'
const newSession = (id = 'a') => createToolSearch({ activation: 'always' }).session(id)

describe('aiSdk in mode append: the list of tools', () => {
  const mode = 'append'

  it('starts with the search tool and the eager tools, and grows only at the end', async () => {
    const model = scriptedModel([search('letter')], [search('zebra')], [search('weather')], 'Done.')
    const settings = aiSdk(await newSession(), { tools: someTools(), mode })
    await generateText({ model, prompt, ...settings, stopWhen })
    expect(sentNames(model)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra', 'weather'],
    ])
  })

  it('keeps its prefix byte by byte, over ten steps of one call and ten of the next', async () => {
    const tools = manyTools(60)
    const session = await newSession()
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const requests: string[] = []
    for (const part of [0, 1]) {
      const steps = Array.from({ length: 10 }, (_, index) => [
        search(`thing number${(part * 10 + index) * 2}`),
      ])
      const model = scriptedModel(...steps, 'Done.')
      const { responseMessages } = await generateText({
        model,
        messages,
        instructions: 'Be kind.',
        ...aiSdk(session, { tools, mode }),
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

  it('stays short, regardless of the number of tools', async () => {
    const model = scriptedModel([search('number123')], 'Done.')
    const session = await createToolSearch().session('a')
    await generateText({
      model,
      prompt,
      ...aiSdk(session, { tools: manyTools(500), mode }),
      stopWhen,
    })
    expect(sentNames(model)).toEqual([['tool_search'], ['tool_search', 'tool_123']])
  })

  it('has all tools and no search tool while there are few', async () => {
    const model = scriptedModel('Done.')
    const session = await createToolSearch().session('a')
    await generateText({ model, prompt, ...aiSdk(session, { tools: someTools(), mode }) })
    expect(sentNames(model)).toEqual([['zebra', 'shell', 'weather', 'mail', 'ask']])
    expect(JSON.stringify(model.doGenerateCalls[0]!.prompt)).not.toContain('tool_search')
  })

  it('keeps the search tool when all tools are loaded', async () => {
    const model = scriptedModel([search('select:mail,zebra,weather')], 'Done.')
    await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools(), mode }),
      stopWhen,
    })
    expect(sentNames(model)[1]).toEqual(['tool_search', 'shell', 'ask', 'mail', 'zebra', 'weather'])
    const [first, second] = model.doGenerateCalls.map((call) => call.prompt[0])
    expect(second).toEqual(first)
  })

  it('is the same with streaming', async () => {
    const ran: unknown[] = []
    const model = scriptedModel(
      [search('letter')],
      [{ name: 'mail', input: { to: 'Ann' } }],
      [search('zebra')],
      'Done.',
    )
    const settings = aiSdk(await newSession(), { tools: someTools(ran), mode })
    const result = streamText({ model, prompt, ...settings, stopWhen })
    expect(await result.text).toBe('Done.')
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
    expect(sentNames(model).slice(2)).toEqual([
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail', 'zebra'],
    ])
  })

  it('grows in the same way for an agent, across calls', async () => {
    const model = scriptedModel([search('letter')], 'Found.', [search('zebra')], 'Done.')
    const agent = new ToolLoopAgent({
      model,
      ...aiSdk(await newSession(), { tools: someTools(), mode }),
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

  it('starts with the provider tools and never defers them', async () => {
    const model = scriptedModel([search('letter')], 'Done.')
    const browser = {
      type: 'provider' as const,
      id: 'mock.browser' as const,
      isProviderExecuted: true as const,
      args: {},
      inputSchema: z.object({}),
      outputSchema: z.object({}),
    }
    const tools = { ...someTools(), browser }
    await generateText({ model, prompt, ...aiSdk(await newSession(), { tools, mode }), stopWhen })
    expect(sentNames(model)).toEqual([
      ['browser', 'tool_search', 'shell', 'ask'],
      ['browser', 'tool_search', 'shell', 'ask', 'mail'],
    ])
  })

  it('has the same schemas as without tool search', async () => {
    const tools = someTools()
    const plain = scriptedModel('Done.')
    await generateText({ model: plain, prompt, tools })
    const ours = scriptedModel('Done.')
    const session = await createToolSearch({ activation: 'never' }).session('a')
    await generateText({ model: ours, prompt, ...aiSdk(session, { tools, mode }) })
    expect(ours.doGenerateCalls[0]!.tools).toEqual(plain.doGenerateCalls[0]!.tools)
  })

  it('rejects a session that was not awaited', () => {
    expect(() => aiSdk(newSession() as never, { tools: {} })).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        message: 'session is a promise; pass a session: await toolSearch.session(id)',
      }),
    )
  })

  it.each([null, undefined, 'tool'])('rejects %s as a tool', async (x) => {
    const session = await newSession()
    expect(() => aiSdk(session, { tools: { x: x as never }, mode })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', option: 'tools.x' }),
    )
  })

  it('rejects a tool with the name of the search tool', async () => {
    const session = await newSession()
    const tools = { tool_search: someTools().mail }
    expect(() => aiSdk(session, { tools, mode })).toThrow(InvalidToolError)
  })
})

describe("the SDK's own toolSearch()", () => {
  const mode = 'append'

  it('inserts found tools into the list and forgets them after the call, unlike ours', async () => {
    const tools = Object.fromEntries(
      Object.entries(someTools()).map(([name, one]) => [
        name,
        { ...one, deferLoading: one.deferLoading !== false },
      ]),
    )
    const theirs = scriptedModel([search('letter')], 'Done.', 'Again.')
    const withTheirs = { tools: { tool_search: toolSearchOfSdk(), ...tools }, stopWhen, prompt }
    await generateText({ model: theirs, ...withTheirs })
    await generateText({ model: theirs, ...withTheirs })
    expect(sentNames(theirs)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'mail', 'ask'],
      ['tool_search', 'shell', 'ask'],
    ])

    const ours = scriptedModel([search('letter')], 'Done.', 'Again.')
    const withOurs = { ...aiSdk(await newSession(), { tools, mode }), stopWhen, prompt }
    await generateText({ model: ours, ...withOurs })
    await generateText({ model: ours, ...withOurs })
    expect(sentNames(ours)).toEqual([
      ['tool_search', 'shell', 'ask'],
      ['tool_search', 'shell', 'ask', 'mail'],
      ['tool_search', 'shell', 'ask', 'mail'],
    ])
  })
})

describe('aiSdk: loaded tools', () => {
  it('are restored from a snapshot', async () => {
    const first = await newSession()
    const found = scriptedModel([search('letter')], [search('zebra')], 'Done.')
    const tools = someTools()
    await generateText({ model: found, prompt, ...aiSdk(first, { tools }), stopWhen })

    const snapshot = JSON.parse(JSON.stringify(await first.snapshot()))
    const second = await createToolSearch({ activation: 'always' }).restore(snapshot)
    const model = scriptedModel('Done.')
    await generateText({ model, prompt, ...aiSdk(second, { tools }) })
    expect(sentNames(model)[0]).toEqual(sentNames(found).at(-1))
    expect(model.doGenerateCalls[0]!.prompt[0]).toEqual(found.doGenerateCalls[0]!.prompt[0])
  })

  it('are read from the messages by a new session', async () => {
    const found = scriptedModel(
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

    const model = scriptedModel('Done.')
    await generateText({ model, messages, ...aiSdk(await newSession('b'), { tools }) })
    expect(sentNames(model)[0]).toEqual(sentNames(found).at(-1))
    expect(model.doGenerateCalls[0]!.prompt[0]).toEqual(found.doGenerateCalls[0]!.prompt[0])
  })

  it('include the candidates of a doubtful search where a result cannot contain text', async () => {
    const query = { query: 'grow tomatoes on letters behind the garden shed of a neighbour' }
    for (const mode of ['append', 'client'] as const) {
      const input = mode === 'client' ? { arguments: query, call_id: 'call_x' } : query
      const model = scriptedModel([{ name: 'tool_search', input }], 'Done.')
      const session = await newSession(mode)
      await generateText({
        model,
        prompt,
        ...aiSdk(session, { tools: someTools(), mode }),
        stopWhen,
      })
      expect(session.loaded).toEqual(mode === 'client' ? ['mail'] : [])
      expect(JSON.stringify(model.doGenerateCalls.at(-1)!.prompt)).toContain('mail')
    }
  })

  it.each(['bridge', 'append', 'reference', 'client'] as const)(
    'are read from UI messages, in mode %s',
    async (mode) => {
      const query = { query: 'letter' }
      const input = mode === 'client' ? { arguments: query, call_id: 'call_x' } : query
      const found = scriptedModel([{ name: 'tool_search', input }], 'Done.')
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
      const model = scriptedModel('Done.')
      const messages = await convertToModelMessages(page, { tools: again.tools })
      await generateText({ model, messages, ...again })
      expect(other.loaded).toEqual(['mail'])
      expect(model.doGenerateCalls[0]!.tools).toEqual(found.doStreamCalls.at(-1)!.tools)

      const third = (await newSession('c')).withTools([{ name: 'mail' }])
      expect(await third.rebuild(page)).toEqual(['mail'])
    },
  )

  it('are separate for each conversation, and so are its tools', async () => {
    const toolSearch = createToolSearch({ activation: 'always' })
    const { mail, ...others } = someTools()
    const first = scriptedModel([search('select:mail')], 'Done.')
    await generateText({
      model: first,
      prompt,
      ...aiSdk(await toolSearch.session('ann'), { tools: { mail, ...others } }),
      stopWhen,
    })
    const second = scriptedModel([search('select:mail')], 'Done.')
    await generateText({
      model: second,
      prompt,
      ...aiSdk(await toolSearch.session('bob'), { tools: others }),
      stopWhen,
    })
    expect(sentNames(second)[1]).toEqual(['tool_search', 'call_tool', 'shell', 'ask'])
    expect(JSON.stringify(second.doGenerateCalls[0]!.prompt)).not.toContain('mail')
    expect(lastResults(second)[0]).toContain('1 name not found')
  })

  it.each(['bridge', 'append', 'reference', 'client'] as const)(
    'never include a tool that the session must not use, in mode %s',
    async (mode) => {
      const toolSearch = createToolSearch({ activation: 'always' })
      const session = await toolSearch.session('a', { visible: ['shell', 'weather'] })
      const model = scriptedModel([{ name: 'mail', input: { to: 'Ann' } }], 'Done.')
      const ran: unknown[] = []
      const tools = someTools(ran)
      await generateText({ model, prompt, ...aiSdk(session, { tools, mode }), stopWhen })
      expect(ran).toEqual([])
      expect(JSON.stringify(model.doGenerateCalls[0])).not.toMatch(/mail|zebra|ask/)
      expect(lastResults(model)[0]).toContain('There is no tool named')
    },
  )

  it('include a tool that was used before deferral started', async () => {
    const toolSearch = createToolSearch({ activation: { usageShare: 0.1 }, contextWindow: 100 })
    const session = await toolSearch.session('a')
    const first = scriptedModel([{ name: 'weather', input: { city: 'Ulm' } }], 'Done.')
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const { responseMessages } = await generateText({
      model: first,
      messages,
      ...aiSdk(session, { tools: someTools() }),
      stopWhen: isStepCount(1),
    })
    messages.push(...responseMessages)
    const second = scriptedModel([{ name: 'shell', input: { command: 'ls' } }], 'Done.')
    const settings = aiSdk(session, { tools: someTools() })
    await generateText({ model: second, messages, ...settings, stopWhen })
    expect(sentNames(second)).toEqual([
      ['shell', 'ask', 'zebra', 'weather', 'mail'],
      ['tool_search', 'call_tool', 'shell', 'ask', 'weather'],
    ])
  })
})

describe('aiSdk: announcement', () => {
  it.each([
    ['undefined', undefined],
    ['a string', 'Be kind.'],
    ['a message', { role: 'system' as const, content: 'Be kind.' }],
    ['messages', [{ role: 'system' as const, content: 'Be kind.' }]],
  ])(
    'is appended to instructions in the form of %s, identically in each step',
    async (_, instructions) => {
      const model = scriptedModel([search('letter')], [search('zebra')], 'Done.')
      const settings = aiSdk(await newSession(), { tools: someTools() })
      const own = instructions === undefined ? {} : { instructions }
      await generateText({ model, prompt, ...own, ...settings, stopWhen })
      const systemPrompts = model.doGenerateCalls.map((call) =>
        call.prompt.filter(({ role }) => role === 'system').map(({ content }) => content),
      )
      expect(systemPrompts[0]!.join('\n\n')).toMatch(
        instructions === undefined ? /^You have more tools/ : /^Be kind\.\n\nYou have more tools/,
      )
      expect(systemPrompts[0]!.join()).toContain('- mail\n- weather\n- zebra')
      expect(systemPrompts[1]).toEqual(systemPrompts[0])
      expect(systemPrompts[2]).toEqual(systemPrompts[0])
    },
  )

  it('of changed tools is appended as a message and stays there', async () => {
    const session = await newSession()
    const { mail, ...others } = someTools()
    await generateText({
      model: scriptedModel('Done.'),
      prompt,
      ...aiSdk(session, { tools: others }),
    })
    const model = scriptedModel([search('letter')], 'Done.')
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

describe('aiSdk: a call', () => {
  const streamed = [false, true] as const
  async function run(
    model: ReturnType<typeof scriptedModel>,
    settings: AiSdkSettings<SomeTools>,
    inStream: boolean,
  ) {
    const call = { model, prompt, ...settings, stopWhen }
    if (inStream) await streamText(call).consumeStream()
    else await generateText(call)
  }

  it.each(streamed)(
    'is answered with the schema if its tool is not loaded (stream: %s)',
    async (s) => {
      const ran: unknown[] = []
      const weather = { name: 'weather', input: { city: 'Ulm' } }
      const model = scriptedModel([weather, weather], 'Done.')
      await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), s)
      const results = lastResults(model).map((text) => JSON.parse(text))
      expect(results).toHaveLength(2)
      for (const result of results) {
        expect(result).toMatchObject({ name: 'weather', inputSchema: { required: ['city'] } })
        expect(result.error).toMatch(/call it again/i)
      }
      expect(ran).toEqual([])
      expect(sentNames(model)[1]).toEqual(sentNames(model)[0])
    },
  )

  it.each(streamed)(
    'is answered if the same reply searches for its tool (stream: %s)',
    async (s) => {
      const ran: unknown[] = []
      const weather = { name: 'weather', input: { city: 'Ulm' } }
      const model = scriptedModel([search('weather'), weather], [weather], 'Done.')
      await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), s)
      expect(ran).toEqual([['weather', { city: 'Ulm' }]])
      expect(model.doGenerateCalls.length + model.doStreamCalls.length).toBe(3)
    },
  )

  it.each(streamed)(
    'is answered with close names if its tool is unknown (stream: %s)',
    async (s) => {
      const model = scriptedModel([{ name: 'wether', input: {} }], 'Done.')
      await run(model, aiSdk(await newSession(), { tools: someTools() }), s)
      expect(JSON.parse(lastResults(model)[0]!)).toMatchObject({ closest: ['weather'] })
    },
  )

  it.each(streamed)('is answered with the issues that zod reports (stream: %s)', async (s) => {
    const ran: unknown[] = []
    const model = scriptedModel(
      [search('weather')],
      [{ name: 'weather', input: { city: 'U' } }],
      'Done.',
    )
    await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), s)
    expect(JSON.parse(lastResults(model)[0]!)).toMatchObject({
      problems: [expect.stringMatching(/city.*2/)],
      inputSchema: { required: ['city'] },
    })
    expect(ran).toEqual([])
  })

  it('is answered if its arguments are invalid, even if the schema does not validate them', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([search('letter')], [{ name: 'mail', input: { to: 7 } }], 'Done.')
    await run(model, aiSdk(await newSession(), { tools: someTools(ran) }), false)
    expect(JSON.parse(lastResults(model)[0]!)).toMatchObject({
      problems: ['"to" must be string, not number'],
      inputSchema: { required: ['to'] },
    })
    expect(ran).toEqual([])
  })

  it('is answered if its arguments are not valid JSON', async () => {
    const model = scriptedModel([{ name: 'shell', input: '{"command":' }], 'Done.')
    await run(model, aiSdk(await newSession(), { tools: someTools() }), false)
    expect(lastResults(model)[0]).toContain('the arguments are not valid JSON')
  })

  it('runs if the schema transforms the arguments into valid ones', async () => {
    const ran: unknown[] = []
    const tools = {
      wait: tool({
        description: 'Waits',
        inputSchema: z.object({ seconds: z.coerce.number() }),
        execute: (input) => void ran.push(input),
      }),
    }
    const model = scriptedModel(
      [search('select:wait')],
      [{ name: 'wait', input: { seconds: '5' } }],
      '',
    )
    await generateText({ model, prompt, ...aiSdk(await newSession(), { tools }), stopWhen })
    expect(ran).toEqual([{ seconds: 5 }])
  })

  it('runs if it was approved before this process started', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([search('letter')], [{ name: 'mail', input: { to: 'Ann' } }])
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const toolApproval = { mail: 'user-approval' as const }
    const pending = await generateText({
      model,
      messages,
      ...aiSdk(await newSession(), { tools: someTools(ran) }),
      toolApproval,
      stopWhen,
    })
    const request = pending.content.find((part) => part.type === 'tool-approval-request')!
    messages.push(...pending.responseMessages, {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: true }],
    })
    await generateText({
      model: scriptedModel('Done.'),
      messages,
      ...aiSdk(await newSession('b'), { tools: someTools(ran) }),
      toolApproval,
    })
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
  })
})

describe('aiSdk: a forced tool', () => {
  it('is loaded at the end of the list', async () => {
    const model = scriptedModel([{ name: 'mail', input: { to: 'Ann' } }])
    const session = await newSession()
    await generateText({
      model,
      prompt,
      ...aiSdk(session, { tools: someTools(), toolChoice: { type: 'tool', toolName: 'mail' } }),
    })
    expect(sentNames(model)[0]).toEqual(['tool_search', 'call_tool', 'shell', 'ask', 'mail'])
    expect(model.doGenerateCalls[0]!.toolChoice).toEqual({ type: 'tool', toolName: 'mail' })
    expect(session.loaded).toEqual(['mail'])
  })

  it('can be set for one step by your own prepareStep', async () => {
    const model = scriptedModel([{ name: 'mail', input: { to: 'Ann' } }], 'Done.')
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
  it.each(allPresets)('finds and runs a tool: $preset', async (preset) => {
    const ran: unknown[] = []
    const toolSearch = createToolSearch({ preset, activation: 'always', loading: 'sticky' })
    const session = await toolSearch.session('a')
    const model = scriptedModel(
      [{ name: session.searchTool.name, input: { query: 'mail' } }],
      [{ name: 'mail', input: { to: 'Ann' } }],
      'Done.',
    )
    const tools = someTools(ran)
    await generateText({ model, prompt, ...aiSdk(session, { tools }), stopWhen })
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
    expect(sentNames(model)[2]).toEqual(sentNames(model)[1])
  })
})

it('finds and runs a tool with a preset that does not load tools', async () => {
  const ran: unknown[] = []
  const toolSearch = createToolSearch({ preset: everruns, activation: 'always' })
  const session = await toolSearch.session('a')
  const model = scriptedModel(
    [{ name: session.searchTool.name, input: { query: 'mail' } }],
    [{ name: 'call_tool', input: { name: 'mail', arguments: { to: 'Ann' } } }],
    'Done.',
  )
  await generateText({ model, prompt, ...aiSdk(session, { tools: someTools(ran) }), stopWhen })
  expect(ran).toEqual([['mail', { to: 'Ann' }]])
})

it('keeps the types of your tools', async () => {
  const settings = aiSdk(await newSession(), { tools: someTools() })
  const { toolCalls } = await generateText({ model: scriptedModel('Done.'), prompt, ...settings })
  for (const call of toolCalls) {
    if (!call.dynamic && call.toolName === 'weather') call.input.city satisfies string
  }
  // @ts-expect-error: there is no tool with this name
  aiSdk(await newSession(), { tools: someTools(), toolChoice: { type: 'tool', toolName: 'x' } })
})
