import type { Content } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { type Conversation, startConversation } from '../converse.fixtures.ts'
import { describeProvider } from '../provider.cases.ts'
import { sampleTools, serverTool } from '../provider.fixtures.ts'
import { type GeminiOptions, gemini } from './gemini.ts'
import { geminiCase, models } from './gemini-case.fixtures.ts'

describeProvider(geminiCase)

const user = (...parts: object[]): Content => ({ role: 'user', parts })
const model = (...parts: object[]): Content => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const response = (name: string, id?: string, output = 'done') => ({
  functionResponse: { ...(id && { id }), name, response: { output } },
})
const hello = user(text('Hello'))
const reply = (...parts: object[]) => ({ candidates: [{ content: model(...parts) }] })

async function adapterOf(options: GeminiOptions = {}, tools = sampleTools) {
  const session = await createToolSearch({ tools }).session('a')
  return { session, adapter: gemini<Content>(session, options) }
}

describe('gemini requests', () => {
  const open: Conversation[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((chat) => chat.close()))
  })
  const start = async (options: Parameters<typeof startConversation>[1]) => {
    const chat = await startConversation(geminiCase, options)
    open.push(chat)
    return chat
  }
  const few = sampleTools.slice(0, 2)
  const always = { activation: 'always' } as const

  it.each(['bridge', 'append'] as const)('match the snapshot in mode %s', async (mode) => {
    const toolSearch = createToolSearch({ tools: few, ...always })
    const adapter = gemini<Content>(await toolSearch.session('a'), { mode })
    const request = await adapter.request({ messages: [hello], system: 'You are careful.' })
    expect(request).toMatchSnapshot()
    const search = { functionCall: { name: 'tool_search', args: { query: 'create invoice' } } }
    const step = await adapter.handle(reply(search))
    const messages = [...request.contents, ...step.messages()]
    expect(await adapter.request({ messages, system: 'You are careful.' })).toMatchSnapshot()
  })

  it("fit the client, and replies keep the client's types", async () => {
    const { server, session } = await start({})
    const adapter = gemini<Content>(session, { model: geminiCase.model })
    const request = await adapter.request({ messages: [hello] })
    expect(Object.keys(request)).toEqual(['config', 'contents'])
    const step = await adapter.handle(
      await models(server.url).generateContent({ model: geminiCase.model, ...request }),
    )
    const history: Content[] = [...request.contents, ...step.messages()]
    expect(history).toEqual([hello, model(text('Done.'))])
  })

  it('keep the same instruction and tools after every search, in mode bridge', async () => {
    const chat = await start({ mode: 'bridge' })
    for (const tool of sampleTools.slice(0, 12)) {
      await chat.turn(geminiCase.search('bridge', tool.name.replace('_', ' '), []))
    }
    const constant = chat.accepted().map(({ body }) => {
      const { contents: _, ...rest } = body
      return JSON.stringify(rest)
    })
    expect(chat.session.loaded).toHaveLength(12)
    expect(new Set(constant).size).toBe(1)
  })

  it.each([
    ['a string', 'Be kind.', [text('Be kind.')]],
    ['an empty string', '', []],
    ['a part', text('Be kind.'), [text('Be kind.')]],
    ['a content', { role: 'system', parts: [text('Be kind.')] }, [text('Be kind.')]],
    ['a list', ['Be kind.', text('Be brief.')], [text('Be kind.'), text('Be brief.')]],
    ['nothing', undefined, []],
  ])('append the announcement to an instruction that is %s', async (_, system, before) => {
    const { adapter } = await adapterOf()
    const { config } = await adapter.request({ messages: [hello], system })
    const parts: unknown[] = config.systemInstruction.parts
    expect(parts.slice(0, -1)).toEqual(before)
    expect(JSON.stringify(parts.at(-1))).toContain('invoice_approve')
    expect(config.systemInstruction.role).toBe(
      typeof system === 'object' && 'role' in system ? 'system' : undefined,
    )
  })

  it('keep the instruction unchanged if there is nothing to announce', async () => {
    const { adapter } = await adapterOf({}, few)
    const system = ['Be kind.']
    expect((await adapter.request({ messages: [hello], system })).config.systemInstruction).toBe(
      system,
    )
    expect((await adapter.request({ messages: [hello] })).config).not.toHaveProperty(
      'systemInstruction',
    )
  })

  it('list at most 512 tools and evict those loaded first', async () => {
    const names = Array.from({ length: 700 }, (_, at) => `server_tool${at}`)
    const tools = names.map((name) => serverTool(name, 'Does it.'))
    const chat = await start({ mode: 'append', tools })
    await chat.session.load(names.slice(0, 600))
    await chat.turn({ text: 'Done.' })
    const [request] = chat.accepted()
    const [tool] = request!.body.tools as { functionDeclarations: { name: string }[] }[]
    const listed = tool!.functionDeclarations.map(({ name }) => name)
    expect(listed).toHaveLength(512)
    expect(listed[0]).toBe('tool_search')
    expect(new Set(listed.slice(1))).toEqual(new Set(names.slice(89, 600)))
  })

  it.each(['bridge', 'append'] as const)(
    'restrict calls to the listed tools, in mode %s',
    async (mode) => {
      const { session, adapter } = await adapterOf({ mode, validated: true })
      await session.load(['invoice_approve'])
      const { config } = await adapter.request({ messages: [hello] })
      const listed = config.tools![0]!.functionDeclarations.map(({ name }) => name)
      expect(listed).toContain('invoice_approve')
      expect(config.toolConfig).toEqual({
        functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: listed },
      })
    },
  )

  it('omit the calling config if there are no tools', async () => {
    const { adapter } = await adapterOf({ validated: true }, [])
    expect((await adapter.request({ messages: [hello] })).config).toEqual({})
  })

  it('prefer a forced tool choice to validation', async () => {
    const { adapter } = await adapterOf({ validated: true })
    const { config } = await adapter.request({ messages: [hello], toolChoice: 'photo_archive' })
    expect(config.toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['photo_archive'] },
    })
  })

  it('keep notices out of contents with responses', async () => {
    const chat = await start({ mode: 'bridge', tools: sampleTools.slice(0, 20) })
    await chat.turn(geminiCase.search('bridge', 'approve invoice', []))
    chat.toolSearch.catalogue.add([serverTool('weather_forecast', 'Forecasts the weather.')])
    await chat.turn({ text: 'Fine.' })
    chat.toolSearch.catalogue.add([serverTool('tide_forecast', 'Forecasts the tide.')])
    await chat.turn({ text: 'Fine.' })
    const contents = chat.messages as Content[]
    const shape = contents.map(({ role, parts = [] }) => `${role} ${parts.flatMap(Object.keys)}`)
    expect(shape).toEqual([
      'user text',
      'model functionCall,thoughtSignature',
      'user functionResponse',
      'user text',
      'model text',
      'user text,text',
      'model text',
    ])
    expect(JSON.stringify(contents[3])).toContain('weather_forecast')
    expect(JSON.stringify(contents[5])).toContain('tide_forecast')
  })
})

describe('gemini replies', () => {
  const signed = [
    { text: 'Hm.', thought: true },
    { functionCall: { name: 'tool_search', args: { query: 'x' } }, thoughtSignature: 'c2ln' },
    { functionCall: { name: 'tool_search', args: { query: 'y' } } },
    { text: '', thoughtSignature: 'bGFzdA==' },
  ]

  it('are sent back as the same object, with signatures', async () => {
    const { adapter } = await adapterOf()
    const content = model(...signed)
    const messages = (await adapter.handle({ candidates: [{ content }] })).messages()
    expect(messages[0]).toBe(content)
    const { contents } = await adapter.request({ messages: [hello, ...messages] })
    expect(contents[1]).toBe(content)
  })

  it('are answered with an id only if the model sent one', async () => {
    const { adapter } = await adapterOf({}, sampleTools.slice(0, 3))
    const args = { subject: 'a' }
    const step = await adapter.handle(
      reply(
        { functionCall: { name: 'invoice_create', args } },
        { functionCall: { id: 'seven', name: 'invoice_archive', args } },
        { functionCall: { name: 'invoice_create', args } },
      ),
    )
    expect(step.calls.map(({ id }) => id)).toEqual(['place-0', 'seven', 'place-2'])
    const [, answers] = step.messages(['one', new Error('two'), { three: 3 }])
    expect(answers).toEqual(
      user(
        response('invoice_create', undefined, 'one'),
        {
          functionResponse: { id: 'seven', name: 'invoice_archive', response: { error: 'two' } },
        },
        response('invoice_create', undefined, '{"three":3}'),
      ),
    )
  })

  it('with a call through call_tool are answered under the name call_tool', async () => {
    const { session, adapter } = await adapterOf()
    await session.load(['invoice_approve'])
    const args = { name: 'invoice_approve', arguments: { subject: 'a' } }
    const step = await adapter.handle(reply({ functionCall: { name: 'call_tool', args } }))
    expect(step.calls[0]?.name).toBe('invoice_approve')
    expect(step.messages(['ok'])[1]).toEqual(user(response('call_tool', undefined, 'ok')))
  })

  it('may contain calls without arguments', async () => {
    const { adapter } = await adapterOf({}, [{ name: 'ping', inputSchema: { type: 'object' } }])
    const step = await adapter.handle(reply({ functionCall: { name: 'ping' } }))
    expect(step.calls).toEqual([{ id: 'place-0', name: 'ping', arguments: {} }])
  })

  it.each<[string, object]>([
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }],
    ['nothing but its metadata', { modelVersion: 'gemini-3', responseId: 'a' }],
    ['no candidate', { candidates: [] }],
    ['a malformed call', { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }],
    ['a content without parts', { candidates: [{ content: { role: 'model' } }] }],
    ['an empty text', reply(text(''))],
    ['a call without a name', reply({ functionCall: {} })],
    ['an invalid content', { candidates: [{ content: 'x' }, null] }],
  ])('with %s yield no message', async (_, empty) => {
    const { adapter } = await adapterOf()
    const step = await adapter.handle(empty)
    expect(step).toMatchObject({ calls: [], shouldContinue: false })
    expect(step.messages()).toEqual([])
  })

  it.each([{}, { choices: [] }, { output: [] }])('are not %j', async (other) => {
    const { adapter } = await adapterOf()
    await expect(adapter.handle(other as never)).rejects.toMatchObject({
      name: 'InvalidReplyError',
      message: expect.stringContaining('"candidates" is not a list'),
    })
  })

  it('without a role get the role model', async () => {
    const { adapter } = await adapterOf()
    const step = await adapter.handle({
      candidates: [{ content: { parts: [text('Hi'), text('')] } }],
    })
    expect(step.messages()).toEqual([model(text('Hi'))])
  })
})

describe('thought signatures', () => {
  const call = (name: string, more: object = {}) => ({ functionCall: { name, args: {} }, ...more })
  const unsigned = [
    hello,
    model(call('invoice_create'), call('photo_archive')),
    user(response('invoice_create'), response('photo_archive')),
    model(call('invoice_create', { thoughtSignature: 'c2ln' })),
    user(response('invoice_create')),
  ]

  it('calls of other models get the signature that Gemini 3 does not validate', async () => {
    const chat = await startConversation(geminiCase)
    chat.messages = unsigned
    const step = await chat.turn({ text: 'Done.' })
    expect(step.shouldContinue).toBe(false)
    const { contents } = chat.accepted()[0]!.body as { contents: Content[] }
    expect(contents[1]!.parts).toEqual([
      call('invoice_create', { thoughtSignature: 'skip_thought_signature_validator' }),
      call('photo_archive'),
    ])
    expect(contents[3]).toEqual(unsigned[3])
    await chat.close()
  })

  it.each([{ model: 'gemini-3.1-pro' }, { model: 'gemini-flash-latest' }, {}])(
    'are reported once, and stay away from earlier models (%j)',
    async (options) => {
      const { adapter } = await adapterOf(options)
      const { messages, repairs } = adapter.repair(unsigned)
      expect(repairs).toEqual([{ kind: 'signature-added', about: 'model', at: 1 }])
      expect(adapter.repair(messages).repairs).toEqual([])
      const { adapter: earlier } = await adapterOf({ model: 'gemini-2.5-pro' })
      expect(earlier.repair(unsigned).repairs).toEqual([])
    },
  )
})
