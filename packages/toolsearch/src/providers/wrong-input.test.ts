import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'
import { sampleTools } from './provider.fixtures.ts'

describe.each(providers)('wrong input to the adapter of $name', (provider) => {
  it('rejects a session that was not awaited', () => {
    const session = createToolSearch().session('a')
    expect(() => provider.adapter(session as never, {})).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        message: 'session is a promise; pass a session: await toolSearch.session(id)',
      }),
    )
  })

  it.each([undefined, null, {}, 'chat-42'])('rejects %j as session', (session) => {
    expect(() => provider.adapter(session as never, {})).toThrow(
      /^session is .*; pass a session: await toolSearch\.session\(id\)$/,
    )
  })

  it.each<[object, RegExp]>([
    [{ messages: 'x' }, /^messages is "x"; use an array of messages$/],
    [{ messages: [null] }, /^messages\[0\] is null; use an object/],
    [{ messages: [{}, 'x'] }, /^messages\[1\] is "x"; use an object/],
    [{ messages: [], system: 5 }, /^system is 5; use a string/],
    [{ messages: [], system: [5] }, /^system is \[5\]; use a string/],
    [{ messages: [], system: null }, /^system is null; use a string/],
  ])('rejects a request with %j', async (options, message) => {
    const adapter = provider.adapter(await createToolSearch().session('a'), {})
    await expect(adapter.request(options as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      message: expect.stringMatching(message),
    })
  })

  it('rejects a repair of something other than messages', async () => {
    const adapter = provider.adapter(await createToolSearch().session('a'), {})
    expect(() => adapter.repair('x' as never)).toThrow('messages is "x"; use an array of messages')
    expect(() => adapter.repair([null])).toThrow('messages[0] is null; use an object')
  })

  it('rejects a tool choice that does not exist and names similar tools', async () => {
    const session = await createToolSearch({ tools: sampleTools }).session('a')
    const adapter = provider.adapter(session, { model: provider.model })
    await expect(
      adapter.request({ messages: [], toolChoice: 'invoice_aprove' }),
    ).rejects.toMatchObject({
      name: 'InvalidOptionError',
      message: expect.stringMatching(
        /^toolChoice is "invoice_aprove"; use the name of a tool .* Similar names: invoice_approve/,
      ),
    })
    await expect(adapter.request({ messages: [], toolChoice: 'zzz' })).rejects.toThrow(
      /in the catalogue or in extraTools$/,
    )
    for (const toolChoice of ['invoice_approve', session.searchTool.name]) {
      await expect(adapter.request({ messages: [], toolChoice })).resolves.toBeDefined()
    }
  })
})
