import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'
import { sampleTools } from './provider.fixtures.ts'

const hello = { role: 'user', content: 'Hello.' }

/** A short history in the shape of each provider, by the names of the cases. */
const histories: Readonly<Record<string, readonly object[]>> = {
  Anthropic: [
    hello,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Found.' }] },
  ],
  'Chat Completions': [
    hello,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'Found.' },
  ],
  Gemini: [
    { role: 'user', parts: [{ text: 'Hello.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'find', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'find', response: { output: 'x' } } }] },
  ],
  'OpenAI Responses': [
    hello,
    { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'Found.' },
  ],
}

describe.each(providers)("another provider's messages given to $name", (provider) => {
  const adapterOf = async () =>
    provider.adapter(await createToolSearch({ tools: sampleTools }).session('a'), {})
  const foreign = Object.keys(histories).filter((name) => name !== provider.name)
  const own = histories[provider.name]!

  it.each(foreign)('are rejected if they come from %s', async (name) => {
    const adapter = await adapterOf()
    const messages = histories[name]! as never
    const error = {
      code: 'foreign_messages',
      message: expect.stringContaining('with moveConversation(messages, { from, to: '),
    }
    await expect(adapter.request({ messages })).rejects.toMatchObject(error)
    expect(() => adapter.repair(messages)).toThrow(expect.objectContaining(error))
  })

  it.each(foreign)('are still read by rebuild if they come from %s', async (name) => {
    const adapter = await adapterOf()
    await expect(adapter.rebuild(histories[name]!)).resolves.toEqual([])
  })

  it.each(foreign)('are repaired next to messages of its own, from %s', async (name) => {
    const adapter = await adapterOf()
    const messages = [...histories[name]!, ...own] as never
    await expect(adapter.request({ messages })).resolves.toBeDefined()
  })

  it('accepts damaged messages and an empty history', async () => {
    const adapter = await adapterOf()
    for (const messages of [[], [{}], [{ role: 'user' }], [{ role: 'assistant' }]]) {
      await expect(adapter.request({ messages })).resolves.toBeDefined()
    }
  })
})
