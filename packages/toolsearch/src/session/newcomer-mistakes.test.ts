import { describe, expect, it } from 'vitest'
import { createFileStore } from '../stores/file-store.ts'
import { createToolSearch } from '../toolsearch.ts'

const tools = [{ name: 'send_mail', execute: (input: Record<string, unknown>) => input }]

describe('mistakes of newcomers', () => {
  it("rejects a provider's call instead of running the tool without its arguments", async () => {
    const session = await createToolSearch({ tools }).session('a')
    const anthropic = { type: 'tool_use', id: 'c1', name: 'send_mail', input: { to: 'ann' } }
    await expect(session.run(anthropic as never)).rejects.toThrow(
      'pass { id: call.id, name: call.name, arguments: call.input }',
    )
    const responses = { type: 'function_call', call_id: 'c1', name: 'send_mail', arguments: '{}' }
    await expect(session.answer(responses as never)).rejects.toThrow('id: call.call_id')
    const chat = { id: 'c1', type: 'function', function: { name: 'send_mail', arguments: '{}' } }
    await expect(session.run(chat as never)).rejects.toThrow('{ id: call.id, ...call.function }')
  })

  it('rejects a visible function that returns a promise instead of showing every tool', async () => {
    const visible = async () => false
    const session = await createToolSearch({ tools }).session('a', { visible: visible as never })
    await expect(session.turn()).rejects.toThrow('the result of visible() is')
    expect(() => session.tools()).toThrow('return true or false')
  })

  it('rejects a result format that returns a promise', async () => {
    const result = async () => ({ text: 'found', data: {}, isError: false })
    const session = await createToolSearch({ tools, result: result as never }).session('a')
    await expect(session.search({ query: 'mail' })).rejects.toThrow('promise')
  })

  it('asks for await if a snapshot is a promise, and rejects an empty id', async () => {
    const toolSearch = createToolSearch({ tools })
    const session = await toolSearch.session('a')
    await expect(toolSearch.restore(session.snapshot())).rejects.toThrow('use await')
    const snapshot = { ...(await session.snapshot()), id: '' }
    await expect(toolSearch.restore(snapshot)).rejects.toThrow('use a non-empty string')
  })

  it('does not mention the search tool if the model does not have it', async () => {
    const session = await createToolSearch({ tools }).session('a')
    await session.turn()
    const unknown = await session.answer({ name: 'get_weather' })
    expect(unknown).toMatchObject({ data: { error: 'There is no tool named "get_weather".' } })
    const deferring = await createToolSearch({ tools, activation: 'always' }).session('a')
    await deferring.turn()
    expect(await deferring.answer({ name: 'get_weather' })).toMatchObject({
      data: { error: 'There is no tool named "get_weather". Use tool_search to find one.' },
    })
  })

  it('fails if the folder of a file store cannot be created, instead of trying forever', async () => {
    // mkdir reports ENOENT here, like on a drive that does not exist
    const store = createFileStore({ folder: '/proc/nope/sessions' })
    const toolSearch = createToolSearch({ tools, activation: 'always', store })
    const session = await toolSearch.session('a')
    await expect(session.turn()).rejects.toThrow(/ENOENT/)
  })
})
