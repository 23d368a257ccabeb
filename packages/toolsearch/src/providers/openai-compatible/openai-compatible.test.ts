import OpenAI from 'openai'
import { chatCompletions, inProcessServer } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { startConversation } from '../converse.fixtures.ts'
import { describeProvider } from '../provider.cases.ts'
import { sampleTools, serverTool } from '../provider.fixtures.ts'
import { chatCase, chatReferenceCase } from './openai-compatible.fixtures.ts'
import { type ChatMode, type ChatTool, openaiCompatible } from './openai-compatible.ts'

describeProvider(chatCase('Chat Completions'))
describeProvider(chatReferenceCase())

describe('openaiCompatible', () => {
  it("is type-compatible with the client's types", async () => {
    const server = inProcessServer({ service: chatCompletions() })
    const client = new OpenAI({ apiKey: 'key', baseURL: `${server.url}/v1`, maxRetries: 0 })
    const session = await createToolSearch({ tools: sampleTools }).session('a')
    const adapter = openaiCompatible<OpenAI.ChatCompletionMessageParam>(session)
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello.' }]
    const request = await adapter.request({ messages, system: 'You are careful.' })
    const reply = await client.chat.completions.create({ model: 'some-model', ...request })
    const step = await adapter.handle(reply)
    messages.push(...step.messages())
    expect(messages.at(-1)).toEqual({ role: 'assistant', content: 'Done.' })
    await server.close()
  })

  it.each<ChatMode>(['bridge', 'append', 'stub'])('writes a request in mode %s', async (mode) => {
    const tools = sampleTools.slice(0, 2).map((tool) => ({ ...tool, loading: 'deferred' as const }))
    const session = await createToolSearch({ tools }).session('a')
    await session.load(['invoice_create'])
    const adapter = openaiCompatible(session, { mode })
    const messages = [{ role: 'user', content: 'Hello.' }]
    const request = await adapter.request({ messages, system: 'You are careful.' })
    expect(Object.keys(request)).toEqual(['tools', 'messages'])
    expect({ ...request, tools: request.tools!.map(outline) }).toMatchSnapshot()
  })

  it('returns calls to a tool of yours named tool_search for you to run if deferral never starts', async () => {
    const tools = [serverTool('tool_search', 'My own search.')]
    const session = await createToolSearch({ tools, activation: 'never' }).session('a')
    const adapter = openaiCompatible(session)
    const { tools: listed = [] } = await adapter.request({ messages: [] })
    expect(listed.map((tool) => tool.function.name)).toEqual(['tool_search'])
    const call = { name: 'tool_search', arguments: '{"subject":"x"}' }
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', type: 'function', function: call }],
    }
    const { calls } = await adapter.handle({ choices: [{ message }] } as never)
    expect(calls).toEqual([{ id: '1', name: 'tool_search', arguments: { subject: 'x' } }])
  })

  it('evicts the tools loaded first if there are too many', async () => {
    const tools = Array.from({ length: 200 }, (_, at) => serverTool(`made_${at}`, `Makes ${at}.`))
    const session = await createToolSearch({ tools }).session('a')
    const adapter = openaiCompatible(session, { mode: 'append' })
    await session.load(tools.map((tool) => tool.name).slice(0, 150))
    const { tools: listed = [] } = await adapter.request({ messages: [] })
    const names = listed.map((tool) => tool.function.name)
    expect(names).toHaveLength(128)
    expect(names.slice(0, 2)).toEqual(['tool_search', 'made_23'])
    expect(names.at(-1)).toBe('made_149')
  })

  it('announces stubs that exceed the limit instead of listing them', async () => {
    const tools = Array.from({ length: 200 }, (_, at) => serverTool(`made_${at}`, `Makes ${at}.`))
    const session = await createToolSearch({ tools }).session('a')
    const adapter = openaiCompatible(session, { mode: 'stub' })
    await session.load(['made_190'])
    const { tools: listed = [], messages } = await adapter.request({ messages: [] })
    const names = listed.map((tool) => tool.function.name)
    expect(names).toHaveLength(128)
    expect(names).toContain('made_190')
    expect(names).not.toContain('made_191')
    expect(JSON.stringify(messages)).toContain('made_191')
  })

  it('keeps a name of 64 characters and replaces one of 65', async () => {
    const fits = 'a'.repeat(64)
    const long = 'b'.repeat(65)
    const tools = [serverTool(fits, 'Fits.'), serverTool(long, 'Is too long.')]
    const adapter = openaiCompatible(await createToolSearch({ tools }).session('a'))
    const { tools: listed = [] } = await adapter.request({ messages: [] })
    const [first, second] = listed.map((tool) => tool.function.name)
    expect(first).toBe(fits)
    expect(second).toMatch(/^b{55}_[0-9a-f]{8}$/)
    expect(adapter.nameOf(long)).toBe(second)
  })

  it('lists a forced tool that only a search result describes', async () => {
    const chat = await startConversation(chatCase('Chat Completions'), { mode: 'bridge' })
    const query = { query: 'approve invoice', max_results: 1 }
    await chat.turn({ calls: [{ name: 'tool_search', arguments: query }] })
    await chat.turn({ text: 'Yes.' }, { toolChoice: 'invoice_approve' })
    expect(chat.accepted().at(-1)!.body).toMatchObject({
      tool_choice: { function: { name: 'invoice_approve' } },
    })
    await chat.close()
  })

  it('appends a notice to a user message at the end, or adds one after an assistant message', async () => {
    const toolSearch = createToolSearch({ tools: sampleTools })
    const adapter = openaiCompatible(await toolSearch.session('a'))
    const hello = { role: 'user', content: 'Hello.' }
    await adapter.request({ messages: [hello] })
    toolSearch.catalogue.add([serverTool('weather_forecast', 'Forecasts.')])
    const first = await adapter.request({ messages: [hello] })
    const notice = 'New tools available through search:\n- weather_forecast'
    expect(first.messages.slice(1)).toEqual([{ role: 'user', content: `Hello.\n\n${notice}` }])
    toolSearch.catalogue.add([serverTool('weather_warning', 'Warns.')])
    const { messages } = await adapter.request({
      messages: [hello, { role: 'assistant', content: 'Hi.' }],
    })
    expect(messages.at(-1)).toEqual({
      role: 'user',
      content: 'New tools available through search:\n- weather_warning',
    })
  })

  it('drops endpoint-specific fields with reasoning: drop', async () => {
    const session = await createToolSearch({ tools: sampleTools }).session('a')
    const messages = [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hi.', reasoning_content: 'Be kind.' },
    ]
    const kept = await openaiCompatible(session).request({ messages })
    expect(kept.messages.at(-1)).toBe(messages[1])
    const plain = await openaiCompatible(session, { reasoning: 'drop' }).request({ messages })
    expect(plain.messages.at(-1)).toEqual({ role: 'assistant', content: 'Hi.' })
  })
})

function outline({ function: { name, parameters } }: ChatTool): string {
  return `${name}(${Object.keys(parameters.properties as object).join(', ')})`
}
