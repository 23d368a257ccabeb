import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { type Conversation, startConversation } from '../converse.fixtures.ts'
import { describeProvider } from '../provider.cases.ts'
import { fleet } from '../provider.fixtures.ts'
import type { Item } from './items.ts'
import { openai } from './openai.ts'
import { openaiCase } from './openai-case.fixtures.ts'

describeProvider(openaiCase)

describe('openai', () => {
  const open: Conversation[] = []
  const start = async (options: Parameters<typeof startConversation>[1]) => {
    const talk = await startConversation(openaiCase, options)
    open.push(talk)
    return talk
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((talk) => talk.close()))
  })
  const search = (mode: string, query: string, ...found: string[]) =>
    openaiCase.search(mode, query, found)
  const items = (talk: Conversation, type: string) =>
    (talk.messages as Item[]).filter((item) => item.type === type)
  const call = { calls: [{ name: 'invoice_approve', arguments: { subject: 'a' } }] }

  it("fits the client's types, and the client's fit it", async () => {
    const talk = await start({})
    const adapter = openai<OpenAI.Responses.ResponseInputItem>(talk.session)
    const client = new OpenAI({ apiKey: 'key', baseURL: `${talk.server.url}/v1` })
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Hello' }]
    const request = await adapter.request({ messages: input, system: 'Be kind.' })
    const step = await adapter.handle(
      await client.responses.create({ model: 'gpt-5.6', ...request }),
    )
    input.push(...request.input, ...step.messages())
    const loose = await openai(talk.session).request({ messages: input })
    const streamed = await client.responses.create({ model: 'gpt-5.6', ...loose, stream: true })
    const collector = adapter.collect()
    for await (const event of streamed) collector.add(event)
    expect((await adapter.handle(collector.reply())).shouldContinue).toBe(false)
  })

  it('understands what the streaming helper of the client adds', async () => {
    const talk = await start({ mode: 'append', tools: fleet.slice(0, 3) })
    const client = new OpenAI({ apiKey: 'key', baseURL: `${talk.server.url}/v1` })
    const adapter = openai<OpenAI.Responses.ResponseInputItem>(talk.session, { mode: 'append' })
    const request = await adapter.request({ messages: [{ role: 'user', content: 'Hello' }] })
    const response = await client.responses.stream({ model: 'gpt-5.6', ...request }).finalResponse()
    expect(JSON.stringify(response.output)).toContain('"parsed":null')
    const step = await adapter.handle(response)
    expect(JSON.stringify(step.messages())).not.toContain('parsed')
  })

  it('sends a hosted search and its calls back as they came', async () => {
    const talk = await start({ mode: 'hosted' })
    await talk.turn({ ...search('hosted', '', 'invoice_approve'), ...call })
    await talk.turn({ text: 'Done.' })
    expect(items(talk, 'tool_search_call')).toMatchObject([{ call_id: null, execution: 'server' }])
    expect(items(talk, 'tool_search_output')).toMatchObject([{ call_id: null }])
    expect(items(talk, 'function_call')).toMatchObject([{ namespace: 'invoice' }])
    const [first, second] = talk.accepted()
    expect(second!.body.input).toMatchObject([
      ...(first!.body.input as object[]),
      { type: 'tool_search_call', id: expect.any(String) },
      { type: 'tool_search_output', id: expect.any(String) },
      { type: 'message', role: 'assistant' },
      { type: 'function_call', id: expect.any(String), namespace: 'invoice' },
      { type: 'function_call_output', output: 'invoice_approve is done.' },
    ])
  })

  it("answers a client's search with definitions that no request declares", async () => {
    const talk = await start({ mode: 'client' })
    await talk.turn(search('client', 'approve invoice'))
    expect(talk.messages.at(-1)).toEqual({
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
    await talk.turn(call)
    await talk.turn({ text: 'Done.' })
    const tools = talk.accepted().map(({ body }) => body.tools as object[])
    expect(tools.map((list) => list.length)).toEqual([1, 1, 1])
  })

  it('says after a search what definitions cannot', async () => {
    const talk = await start({ mode: 'client' })
    await talk.turn(search('client', 'zzqx'))
    const [output, text] = talk.messages.slice(-2) as Item[]
    expect(output).toMatchObject({ type: 'tool_search_output', tools: [] })
    expect(text).toMatchObject({
      role: 'developer',
      content: expect.stringContaining('No matching tools'),
    })
  })

  it('adds tools by an item of their own', async () => {
    const talk = await start({ mode: 'additional-tools' })
    await talk.turn(search('additional-tools', 'approve invoice'))
    expect(talk.messages.slice(-2)).toMatchObject([
      { type: 'function_call_output', output: expect.stringContaining('invoice_approve') },
      { type: 'additional_tools', role: 'developer', tools: [{ name: 'invoice_approve' }] },
    ])
  })

  it.each(['hosted', 'client', 'additional-tools', 'bridge'])(
    'lists a found tool in full, and only there, when it is forced: %s',
    async (mode) => {
      const talk = await start({ mode })
      await talk.turn(search(mode, 'approve invoice', 'invoice_approve'))
      await talk.turn(call, { toolChoice: 'invoice_approve' })
      const { body } = talk.accepted().at(-1)!
      expect(body.tools).toContainEqual(
        expect.objectContaining({ type: 'function', name: 'invoice_approve', strict: false }),
      )
      const defined = (body.input as Item[]).flatMap(({ tools = [] }) => tools as Item[])
      expect(defined.filter(({ type }) => type === 'function')).toEqual([])
      expect(talk.ran).toHaveLength(1)
    },
  )

  it('goes down from hosted over client to the bridge, and takes its history along', async () => {
    const talk = await start({ mode: 'hosted' })
    await talk.turn({ ...search('hosted', '', 'invoice_approve'), ...call })
    const history = talk.messages
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

  it('goes on after a stream that was cut in the middle of a call', async () => {
    const talk = await start({ mode: 'client' })
    const request = await talk.adapter.request({ messages: talk.messages })
    const collector = talk.adapter.collect()
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
    const step = await talk.adapter.handle(collector.reply())
    expect(step.shouldContinue).toBe(false)
    talk.messages = [...request.input, ...step.messages()]
    talk.say('Go on.')
    await talk.turn({ text: 'Sorry.' })
    expect(items(talk, 'reasoning')).toEqual([])
  })

  it('refuses modes that a model cannot have, and does without them by itself', async () => {
    const session = await createToolSearch({ tools: fleet }).session('a')
    expect(openai(session, { model: 'gpt-5.2' }).mode).toBe('bridge')
    expect(openai(session, { model: 'gpt-5.4' }).mode).toBe('client')
    expect(() => openai(session, { model: 'gpt-5.2', mode: 'hosted' })).toThrow('gpt-5.2')
  })
})
