import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type ModelMessage,
  pruneMessages,
  readUIMessageStream,
  streamText,
  tool,
  type UIMessage,
} from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolSearch, InvalidToolError } from '../../index.ts'
import { lastResults, scriptedModel, search, sentNames, someTools } from './ai-sdk.fixtures.ts'
import { aiSdk } from './index.ts'

const stopWhen = isStepCount(20)
const prompt = 'Do something'
const newSession = (id = 'a') => createToolSearch({ activation: 'always' }).session(id)
const bridged = (name: string, input: unknown) => ({
  name: 'call_tool',
  input: { name, arguments: input },
})

/** The calls and results of the last request, as the service gets them. */
function sentParts(model: ReturnType<typeof scriptedModel>): [string, unknown][] {
  const last = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1)!
  return last.prompt.flatMap(({ role, content }) =>
    role !== 'assistant' && role !== 'tool'
      ? []
      : content.flatMap((part): [string, unknown][] => {
          if (part.type === 'tool-call') return [[part.toolName, part.input]]
          return part.type === 'tool-result' ? [[part.toolName, part.output]] : []
        }),
  )
}

describe('aiSdk in mode bridge', () => {
  it('sends two tools next to the eager ones, and nothing changes when a tool is found', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([search('letter')], [bridged('mail', { to: 'Ann' })], 'Done.')
    const { toolCalls, toolResults } = await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools(ran) }),
      stopWhen,
    }).then(({ steps }) => steps[1]!)
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
    expect(new Set(sentNames(model).map((names) => names.join()))).toEqual(
      new Set(['tool_search,call_tool,shell,ask']),
    )
    expect(model.doGenerateCalls[1]!.tools).toEqual(model.doGenerateCalls[0]!.tools)
    // the service gets what the model said; your code gets the tool itself
    expect(sentParts(model).at(-2)).toEqual([
      'call_tool',
      { name: 'mail', arguments: { to: 'Ann' } },
    ])
    expect(toolCalls[0]).toMatchObject({ toolName: 'mail', input: { to: 'Ann' } })
    expect(toolResults[0]).toMatchObject({ toolName: 'mail', output: 'mail done' })
  })

  it('streams the call under the name of the tool', async () => {
    const model = scriptedModel([search('letter')], [bridged('mail', { to: 'Ann' })], 'Done.')
    const settings = aiSdk(await newSession(), { tools: someTools() })
    const { stream } = streamText({ model, prompt, ...settings, stopWhen })
    const names: string[] = []
    for await (const part of stream) if (part.type === 'tool-call') names.push(part.toolName)
    expect(names).toEqual(['tool_search', 'mail'])
  })

  it('runs a tool with the options of the SDK, its context, its stream and its model output', async () => {
    const seen: Record<string, unknown>[] = []
    const tools = {
      report: tool({
        description: 'Writes a report',
        inputSchema: z.object({ about: z.string() }),
        contextSchema: z.object({ user: z.string() }),
        async *execute({ about }, { toolCallId, messages, abortSignal, context }) {
          seen.push({ toolCallId, messages: messages.length, abortSignal, context })
          yield `started ${about}`
          yield `finished ${about}`
        },
        toModelOutput: ({ output }) => ({
          type: 'content',
          value: [{ type: 'text', text: `<${output}>` }],
        }),
      }),
    }
    const model = scriptedModel([search('report')], [bridged('report', { about: 'x' })], 'Done.')
    const abort = new AbortController()
    const result = streamText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools }),
      toolsContext: { report: { user: 'Ann' } },
      abortSignal: abort.signal,
      stopWhen,
    })
    const outputs: unknown[] = []
    for await (const part of result.stream) {
      if (part.type === 'tool-result' && part.toolName === 'report') outputs.push(part.output)
    }
    expect(outputs).toEqual(['started x', 'finished x', 'finished x'])
    expect(seen).toMatchObject([
      {
        toolCallId: expect.any(String),
        abortSignal: expect.any(AbortSignal),
        context: { user: 'Ann' },
      },
    ])
    expect(sentParts(model).at(-1)).toEqual([
      'call_tool',
      { type: 'content', value: [{ type: 'text', text: '<finished x>' }] },
    ])
  })

  it.each([
    ['the tool', true, undefined],
    ['the call', false, { mail: 'user-approval' as const }],
  ])(
    'asks for approval if %s requires it, by the name of the tool',
    async (_, needsApproval, toolApproval) => {
      const ran: unknown[] = []
      const tools = () => {
        const { mail, ...others } = someTools(ran)
        return { ...others, mail: { ...mail, needsApproval } }
      }
      const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
      const approval = toolApproval && { toolApproval }
      const pending = await generateText({
        model: scriptedModel([search('letter')], [bridged('mail', { to: 'Ann' })]),
        messages,
        ...aiSdk(await newSession(), { tools: tools() }),
        ...approval,
        stopWhen,
      })
      expect(ran).toEqual([])
      const request = pending.content.find((part) => part.type === 'tool-approval-request')!
      expect(request.toolCall).toMatchObject({ toolName: 'mail', input: { to: 'Ann' } })
      messages.push(...pending.responseMessages, {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: request.approvalId, approved: true },
        ],
      })
      const model = scriptedModel('Done.')
      await generateText({
        model,
        messages,
        ...aiSdk(await newSession('b'), { tools: tools() }),
        ...approval,
      })
      expect(ran).toEqual([['mail', { to: 'Ann' }]])
      expect(sentParts(model).at(-1)).toEqual(['call_tool', { type: 'text', value: 'mail done' }])
    },
  )

  it('does not ask for approval of a call that cannot run', async () => {
    const { mail, ...others } = someTools()
    const tools = { ...others, mail: { ...mail, needsApproval: true } }
    const model = scriptedModel([bridged('mail', { to: 'Ann' })], 'Done.')
    const { steps } = await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools }),
      stopWhen,
    })
    expect(steps).toHaveLength(2)
    expect(lastResults(model)[0]).toContain("wasn't loaded yet")
  })

  it('answers a call that was approved before its tool became unavailable', async () => {
    const ran: unknown[] = []
    const toolApproval = { mail: 'user-approval' as const }
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const pending = await generateText({
      model: scriptedModel([search('letter')], [bridged('mail', { to: 'Ann' })]),
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
    const toolSearch = createToolSearch({ activation: 'always' })
    const session = await toolSearch.session('a', { visible: ['shell', 'zebra'] })
    const model = scriptedModel('Done.')
    await generateText({
      model,
      messages,
      ...aiSdk(session, { tools: someTools(ran) }),
      toolApproval,
    })
    expect(ran).toEqual([])
    expect(lastResults(model)[0]).toContain('"mail" is no longer available')
  })

  it('gives a call by name to the service as a call through call_tool', async () => {
    const ran: unknown[] = []
    const mail = { name: 'mail', input: { to: 'Ann' } }
    const model = scriptedModel([mail], [mail], 'Done.')
    await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools(ran) }),
      stopWhen,
    })
    expect(ran).toHaveLength(1)
    expect(sentParts(model).map(([name]) => name)).toEqual(Array(4).fill('call_tool'))
  })

  it.each([
    ['without a name', { arguments: {} }, 'There is no tool named'],
    [
      'with a name that does not exist',
      { name: 'wether', arguments: {} },
      'Similar names: weather',
    ],
    ['with arguments as text', { name: 'mail', arguments: '{"to":7}' }, 'must be string'],
    ['with arguments that are not JSON', { name: 'mail', arguments: '{"to"' }, 'not valid JSON'],
    ['that is not JSON', '{"name":"mail"', 'There is no tool named'],
  ])('answers a call to call_tool %s', async (_, input, answer) => {
    const ran: unknown[] = []
    const model = scriptedModel([search('letter')], [{ name: 'call_tool', input }], 'Done.')
    await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools(ran) }),
      stopWhen,
    })
    expect(lastResults(model)[0]).toContain(answer)
    expect(ran).toEqual([])
  })

  it.each([
    ['next to the name', { name: 'mail', to: 'Ann' }],
    ['as text', { name: 'mail', arguments: '{"to":7}' }],
  ])('shows the model the call it made if the arguments are wrong: %s', async (_, input) => {
    const model = scriptedModel([search('letter')], [{ name: 'call_tool', input }], 'Done.')
    await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools() }),
      stopWhen,
    })
    expect(sentParts(model).at(-2)).toEqual(['call_tool', input])
  })

  it('shows the model its call to call_tool that is not JSON', async () => {
    const input = '{"name":"mail"'
    const model = scriptedModel([{ name: 'call_tool', input }], 'Done.')
    await generateText({
      model,
      prompt,
      ...aiSdk(await newSession(), { tools: someTools() }),
      stopWhen,
    })
    expect(sentParts(model).at(-2)).toEqual(['call_tool', { name: '', arguments: input }])
  })

  it('lists all tools and no call_tool while there are few, also after a wrong call', async () => {
    const model = scriptedModel([{ name: 'weather', input: { city: 7 } }], 'Done.')
    const session = await createToolSearch().session('a')
    await generateText({ model, prompt, ...aiSdk(session, { tools: someTools() }), stopWhen })
    expect(sentNames(model)[1]).toEqual(['zebra', 'shell', 'weather', 'mail', 'ask'])
    expect(sentParts(model)[0]).toEqual(['weather', { city: 7 }])
    expect(sentParts(model)[1]![0]).toBe('weather')
  })

  it('finds a tool again after its schema was pruned from the messages', async () => {
    const ran: unknown[] = []
    const session = await newSession()
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const first = scriptedModel([search('letter')], [bridged('mail', { to: 'Ann' })], 'Done.')
    const settings = () => aiSdk(session, { tools: someTools(ran) })
    const { responseMessages } = await generateText({
      model: first,
      messages,
      ...settings(),
      stopWhen,
    })
    messages.push(...responseMessages, { role: 'user', content: 'Again' })
    const second = scriptedModel(
      [bridged('mail', { to: 7 })],
      [search('letter')],
      [bridged('mail', { to: 'Bob' })],
      'Done.',
    )
    await generateText({
      model: second,
      messages: pruneMessages({ messages, toolCalls: 'all' }),
      ...settings(),
      stopWhen,
    })
    expect(ran).toHaveLength(2)
    expect(second.doGenerateCalls[0]!.tools).toEqual(first.doGenerateCalls[0]!.tools)
    expect(JSON.stringify(second.doGenerateCalls[2]!.prompt)).toContain('inputSchema')
  })

  it('rejects a tool with the name call_tool', async () => {
    const session = await newSession()
    expect(() => aiSdk(session, { tools: { call_tool: someTools().mail } })).toThrow(
      InvalidToolError,
    )
  })

  it('rejects a prepareStep without a model', async () => {
    const { prepareStep } = aiSdk(await newSession(), { tools: someTools() })
    const step = { stepNumber: 0, steps: [], messages: [], initialInstructions: undefined }
    await expect(prepareStep({ ...step, model: 'openai/gpt-5.4' })).rejects.toMatchObject({
      name: 'InvalidOptionError',
      option: 'model',
    })
  })
})

describe('an answered call in UI messages', () => {
  it.each(['bridge', 'append', 'reference'] as const)(
    'has the same text after a round trip, in mode %s',
    async (mode) => {
      const weather = { name: 'weather', input: { city: 'Ulm' } }
      const wrong = { name: 'shell', input: { command: 7 } }
      const first = scriptedModel([weather, wrong, { name: 'wether', input: {} }], 'Done.')
      const settings = aiSdk(await newSession(), { tools: someTools(), mode })
      const result = streamText({ model: first, prompt, ...settings, stopWhen })
      const page: UIMessage[] = [{ id: '1', role: 'user', parts: [{ type: 'text', text: prompt }] }]
      let reply: UIMessage | undefined
      for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) {
        reply = message
      }
      page.push(JSON.parse(JSON.stringify(reply)))
      const model = scriptedModel('Done.')
      await generateText({
        model,
        messages: await convertToModelMessages(page, { tools: settings.tools }),
        ...settings,
      })
      const sent = sentParts(first)
      expect(sent).toHaveLength(6)
      expect(JSON.stringify(sent)).toContain('Similar names: weather')
      expect(sentParts(model)).toEqual(sent)
    },
  )
})
