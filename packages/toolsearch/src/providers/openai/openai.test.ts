import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import type { Block } from '../../transcript/block.ts'
import { type Conversation, startConversation } from '../converse.fixtures.ts'
import { describeProvider } from '../provider.cases.ts'
import { sampleTools } from '../provider.fixtures.ts'
import { openai } from './openai.ts'
import { openaiCase } from './openai-case.fixtures.ts'

describeProvider(openaiCase)

describe('openai', () => {
  const open: Conversation[] = []
  const start = async (options: Parameters<typeof startConversation>[1]) => {
    const chat = await startConversation(openaiCase, options)
    open.push(chat)
    return chat
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((chat) => chat.close()))
  })
  const search = (mode: string, query: string, ...found: string[]) =>
    openaiCase.search(mode, query, found)
  const items = (chat: Conversation, type: string) =>
    (chat.messages as Block[]).filter((item) => item.type === type)
  const call = { calls: [{ name: 'invoice_approve', arguments: { subject: 'a' } }] }

  it("is type-compatible with the client's types", async () => {
    const chat = await start({})
    const adapter = openai<OpenAI.Responses.ResponseInputItem>(chat.session)
    const client = new OpenAI({ apiKey: 'key', baseURL: `${chat.server.url}/v1` })
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Hello' }]
    const request = await adapter.request({ messages: input, system: 'Be kind.' })
    const step = await adapter.handle(
      await client.responses.create({ model: 'gpt-5.6', ...request }),
    )
    input.push(...request.input, ...step.messages())
    const loose = await openai(chat.session).request({ messages: input })
    const streamed = await client.responses.create({ model: 'gpt-5.6', ...loose, stream: true })
    const collector = adapter.collect()
    for await (const event of streamed) collector.add(event)
    expect((await adapter.handle(collector.reply())).shouldContinue).toBe(false)
  })

  it("removes fields that the client's streaming helper adds", async () => {
    const chat = await start({ mode: 'append', tools: sampleTools.slice(0, 3) })
    const client = new OpenAI({ apiKey: 'key', baseURL: `${chat.server.url}/v1` })
    const adapter = openai<OpenAI.Responses.ResponseInputItem>(chat.session, { mode: 'append' })
    const request = await adapter.request({ messages: [{ role: 'user', content: 'Hello' }] })
    const response = await client.responses.stream({ model: 'gpt-5.6', ...request }).finalResponse()
    expect(JSON.stringify(response.output)).toContain('"parsed":null')
    const step = await adapter.handle(response)
    expect(JSON.stringify(step.messages())).not.toContain('parsed')
  })

  it('lists a tool that the model found in a text, because the service did not find it', async () => {
    const chat = await start({ mode: 'bridge' })
    await chat.turn(search('bridge', 'approve invoice', 'invoice_approve'))
    chat.adapter = openaiCase.adapter(chat.session, { model: openaiCase.model, mode: 'hosted' })
    await chat.turn(call)
    expect(chat.ran).toHaveLength(1)
  })

  it('sends a hosted search and its calls back unchanged', async () => {
    const chat = await start({ mode: 'hosted' })
    await chat.turn({ ...search('hosted', '', 'invoice_approve'), ...call })
    await chat.turn({ text: 'Done.' })
    expect(items(chat, 'tool_search_call')).toMatchObject([{ call_id: null, execution: 'server' }])
    expect(items(chat, 'tool_search_output')).toMatchObject([{ call_id: null }])
    expect(items(chat, 'function_call')).toMatchObject([{ namespace: 'invoice' }])
    const [first, second] = chat.accepted()
    expect(second!.body.input).toMatchObject([
      ...(first!.body.input as object[]),
      { type: 'tool_search_call', id: expect.any(String) },
      { type: 'tool_search_output', id: expect.any(String) },
      { type: 'message', role: 'assistant' },
      { type: 'function_call', id: expect.any(String), namespace: 'invoice' },
      { type: 'function_call_output', output: 'invoice_approve is done.' },
    ])
  })

  it('answers a client search with definitions that no request declares', async () => {
    const chat = await start({ mode: 'client' })
    await chat.turn(search('client', 'approve invoice'))
    expect(chat.messages.at(-1)).toEqual({
      type: 'tool_search_output',
      call_id: expect.any(String),
      execution: 'client',
      status: 'completed',
      tools: [
        {
          type: 'function',
          name: 'invoice_approve',
          description: 'Can approve one invoice.',
          parameters: expect.objectContaining({ type: 'object' }),
          strict: false,
          defer_loading: true,
        },
      ],
    })
    await chat.turn(call)
    await chat.turn({ text: 'Done.' })
    const tools = chat.accepted().map(({ body }) => body.tools as object[])
    expect(tools.map((list) => list.length)).toEqual([1, 1, 1])
  })

  it('adds a text after a search if the definitions do not say everything', async () => {
    const chat = await start({ mode: 'client' })
    await chat.turn(search('client', 'zzqx'))
    const [output, text] = chat.messages.slice(-2) as Block[]
    expect(output).toMatchObject({ type: 'tool_search_output', tools: [] })
    expect(text).toMatchObject({
      role: 'developer',
      content: expect.stringContaining('No matching tools'),
    })
  })

  it('adds a tool that the model calls without a search with an additional_tools item', async () => {
    const chat = await start({ mode: 'client' })
    await chat.turn({ ...call, unconstrained: true })
    expect(chat.messages.slice(-2)).toMatchObject([
      { type: 'function_call_output', output: expect.stringContaining('invoice_approve') },
      { type: 'additional_tools', role: 'developer', tools: [{ name: 'invoice_approve' }] },
    ])
  })

  it.each(['hosted', 'client', 'bridge'])(
    'lists a forced tool in full and nowhere else, in mode %s',
    async (mode) => {
      const chat = await start({ mode })
      await chat.turn(search(mode, 'approve invoice', 'invoice_approve'))
      await chat.turn(call, { toolChoice: 'invoice_approve' })
      const { body } = chat.accepted().at(-1)!
      expect(body.tools).toContainEqual(
        expect.objectContaining({ type: 'function', name: 'invoice_approve', strict: false }),
      )
      const defined = (body.input as Block[]).flatMap(({ tools = [] }) => tools as Block[])
      expect(defined.filter(({ type }) => type === 'function')).toEqual([])
      expect(chat.ran).toHaveLength(1)
    },
  )

  it('falls back from hosted to client to bridge with the same history', async () => {
    const chat = await start({ mode: 'hosted' })
    await chat.turn({ ...search('hosted', '', 'invoice_approve'), ...call })
    const history = chat.messages
    const other = await start({ mode: 'hosted', rejects: ['namespace', 'tool_search'] })
    await other.session.load(['invoice_approve'])
    other.messages = history
    const modes: string[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      modes.push(other.adapter.mode)
      try {
        await other.turn({ text: 'Done.' })
        break
      } catch (error) {
        other.adapter.downgrade(error)
      }
    }
    expect(modes).toEqual(['hosted', 'client', 'bridge'])
    expect(JSON.stringify(other.messages)).toContain('Found: invoice_approve.')
    expect(JSON.stringify(other.messages)).not.toContain('namespace')
  })

  it('continues after a stream that was interrupted during a call', async () => {
    const chat = await start({ mode: 'client' })
    const request = await chat.adapter.request({ messages: chat.messages })
    const collector = chat.adapter.collect()
    collector.add({
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'reasoning', id: 'rs_1', summary: [] },
    })
    collector.add({
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', call_id: 'a', name: 'invoice_approve', arguments: '' },
    })
    const step = await chat.adapter.handle(collector.reply())
    expect(step.shouldContinue).toBe(false)
    chat.messages = [...request.input, ...step.messages()]
    chat.say('Go on.')
    await chat.turn({ text: 'Sorry.' })
    expect(items(chat, 'reasoning')).toEqual([])
  })

  it('rejects unsupported modes and never selects them by default', async () => {
    const session = await createToolSearch({ tools: sampleTools }).session('a')
    expect(openai(session, { model: 'gpt-5.2' }).mode).toBe('bridge')
    expect(openai(session, { model: 'gpt-5.4' }).mode).toBe('client')
    expect(() => openai(session, { model: 'gpt-5.2', mode: 'hosted' })).toThrow('gpt-5.2')
  })
})
