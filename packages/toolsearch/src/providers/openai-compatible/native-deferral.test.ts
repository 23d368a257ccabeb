import OpenAI from 'openai'
import { chatCompletions, inProcessServer, type Service } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import {
  addedTool,
  conversationTools,
  directHabits,
  longConversation,
  prefixBreaks,
} from '../../frameworks/long-conversation.fixtures.ts'
import { createToolSearch } from '../../toolsearch.ts'
import { startConversation } from '../converse.fixtures.ts'
import { chatReferenceCase } from './openai-compatible.fixtures.ts'
import {
  baseten,
  type OptionSet,
  openaiCompatible,
  openRouter,
  sglang,
} from './openai-compatible.ts'

describe('native deferral: references', () => {
  it.each<[string, OptionSet]>([
    ['sglang', sglang],
    ['baseten', baseten],
  ])(
    '%s keeps the prompt prefix over a long conversation in which tools come and go',
    async (_, set) => {
      const ran: string[] = []
      const service = chatCompletions({ deferral: 'reference' })
      const turns = longConversation(directHabits)
      const replies = turns.flatMap((turn) => [...turn.replies, { text: 'Done.' }])
      const server = inProcessServer({ service, replies })
      const client = new OpenAI({ apiKey: 'key', baseURL: `${server.url}/v1`, maxRetries: 0 })
      const toolSearch = createToolSearch({ tools: conversationTools(ran) })
      const adapter = openaiCompatible<OpenAI.ChatCompletionMessageParam>(
        await toolSearch.session('a'),
        set,
      )
      let messages: OpenAI.ChatCompletionMessageParam[] = []
      for (const { say, change } of turns) {
        if (change?.add) toolSearch.catalogue.add([addedTool(ran)])
        if (change?.remove) toolSearch.catalogue.remove([change.remove])
        messages.push({ role: 'user', content: say })
        for (;;) {
          const request = await adapter.request({ messages, system: 'You are careful.' })
          const reply = await client.chat.completions.create({ model: 'glm-5.2', ...request })
          const step = await adapter.handle(reply)
          messages = [...request.messages, ...(await step.run())]
          if (!step.shouldContinue) break
        }
      }
      expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect(ran).toEqual(turns.flatMap((turn) => turn.runs))
      expect(prefixBreaks(service, server.requests)).toEqual([])
      await server.close()
    },
  )

  it('says in a message what references cannot say', async () => {
    const chat = await startConversation(chatReferenceCase())
    const search = { name: 'tool_search', arguments: { query: 'select:invoice_approve,fly_home' } }
    await chat.turn({ calls: [search] })
    expect(chat.messages.slice(-2)).toMatchObject([
      { role: 'tool', content: [{ type: 'tool_reference', name: 'invoice_approve' }] },
      { role: 'user', content: expect.stringContaining('fly_home') },
    ])
    await chat.close()
  })

  it('falls back to the bridge if the endpoint rejects the fields', async () => {
    const chat = await startConversation(chatReferenceCase(), { rejects: ['defer_loading'] })
    const rejected = await chat.turn({ text: 'Hello.' }).catch((error: unknown) => error)
    expect(chat.adapter.downgrade(rejected)).toBe('bridge')
    await chat.turn({ text: 'Hello.' })
    await chat.close()
  })

  // https://github.com/sgl-project/sglang/issues/35692
  it('falls back to the bridge if the chat template cannot read references', async () => {
    const known = chatReferenceCase()
    const service: typeof known.service = (options) => {
      const base = known.service(options)
      const check: Service['check'] = (body, headers) =>
        JSON.stringify(body).includes('"tool_reference"')
          ? base.problem(500, 'Unexpected item type in content.')
          : base.check(body, headers)
      return { ...base, check }
    }
    const chat = await startConversation({ ...known, service })
    await chat.turn({ calls: [{ name: 'tool_search', arguments: { query: 'approve invoice' } }] })
    const rejected = await chat.turn({ text: 'Hello.' }).catch((error: unknown) => error)
    expect(chat.adapter.downgrade(rejected)).toBe('bridge')
    await chat.turn({ text: 'Hello.' })
    const { tools } = chat.accepted().at(-1)!.body as { tools: { function: { name: string } }[] }
    expect(tools.map((tool) => tool.function.name)).toContain('invoice_approve')
    await chat.close()
  })
})

it('reports the original place of a reference that becomes text', async () => {
  const adapter = openaiCompatible(await createToolSearch().session('a'), sglang)
  const { repairs } = adapter.repair([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: '1', type: 'function', function: { name: 'tool_search', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: '1', content: [{ type: 'tool_reference', name: '!' }] },
  ] as never)
  expect(repairs).toContainEqual({ kind: 'reference-to-text', about: '!', at: 3 })
})

it('the option set openRouter uses the bridge, which works with every model', async () => {
  const session = await createToolSearch().session('a')
  expect(openaiCompatible(session, openRouter).mode).toBe('bridge')
})
