import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { everything, modern, recorded, type Serving, serving, until } from './serving.fixtures.ts'

const info = { name: 'test', version: '1' }
let served: Serving
let url: URL
beforeAll(async () => {
  const broken = { command: 'no-such-program-anywhere' }
  served = await serving({ mcpServers: { broken, one: everything, two: everything } })
  url = new URL((await served.http()).url)
})
afterAll(() => served.end())

type AnyClient = Pick<
  Client,
  | 'listPrompts'
  | 'getPrompt'
  | 'complete'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'close'
>

/** Uses prompts, completions, resources and templates like any client. */
async function use(client: AnyClient): Promise<void> {
  const { prompts } = await until(
    () => client.listPrompts(undefined, { cacheMode: 'bypass' }),
    (list) => list.prompts.length >= 8,
  )
  const names = prompts.map(({ name }) => name)
  expect(names).toContain('one__simple-prompt')
  expect(names).toContain('two__simple-prompt')
  const prompt = await client.getPrompt({
    name: 'two__args-prompt',
    arguments: { city: 'Vigo', state: 'Galicia' },
  })
  expect(JSON.stringify(prompt.messages)).toContain('Vigo')
  await expect(client.getPrompt({ name: 'two__no-prompt' })).rejects.toThrow('two__no-prompt')

  const completed = await client.complete({
    ref: { type: 'ref/prompt', name: 'one__completable-prompt' },
    argument: { name: 'department', value: 'E' },
  })
  expect(completed.completion.values).toEqual(['Engineering'])

  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri)
  expect(uris.length).toBeGreaterThan(3)
  expect(new Set(uris).size).toBe(uris.length)
  const { contents } = await client.readResource({ uri: uris[0]! })
  expect(contents[0]?.uri).toBe(uris[0])

  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    'demo://resource/dynamic/text/{resourceId}',
  )
  const dynamic = await client.readResource({ uri: 'demo://resource/dynamic/text/7' })
  expect(JSON.stringify(dynamic.contents)).toContain('Resource 7')
  await expect(client.readResource({ uri: 'nobody://knows' })).rejects.toThrow('nobody://knows')
}

describe('resources and prompts', () => {
  it('of all servers reach an SDK 2 client, with change notifications', async () => {
    const changed = vi.fn()
    const updated = vi.fn()
    const client = new Client(info)
    client.setNotificationHandler('notifications/prompts/list_changed', changed)
    client.setNotificationHandler('notifications/resources/updated', updated)
    await client.connect(served.pipe())
    await use(client)
    expect(changed).toHaveBeenCalled()

    const uri = 'demo://resource/dynamic/text/1'
    await client.subscribeResource({ uri })
    await client.callTool({
      name: 'call_write_tool',
      arguments: { name: 'one__toggle-subscriber-updates', arguments: {} },
    })
    await expect.poll(() => updated.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(updated.mock.calls[0]![0].params).toEqual({ uri })
    await client.unsubscribeResource({ uri })
    await client.close()
  })

  it('of a modern server can be subscribed to, even across a restart', async () => {
    const modernOnly = await serving({
      mcpServers: { modern },
      toolsearch: { mode: 'passthrough' },
    })
    const updated = vi.fn()
    const client = new Client(info)
    client.setNotificationHandler('notifications/resources/updated', updated)
    await client.connect(modernOnly.pipe())
    const uri = 'modern://watched'
    await until(
      () => client.listResources(undefined, { cacheMode: 'bypass' }),
      ({ resources }) => resources.length > 0,
    )
    await client.subscribeResource({ uri })
    const touch = { name: 'modern__touch', arguments: { uri } }
    await client.callTool(touch)
    await expect.poll(() => updated.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(updated.mock.calls[0]![0].params).toMatchObject({ uri })

    expect((await client.callTool({ name: 'modern__exit' })).isError).toBe(true)
    updated.mockClear()
    await until(
      () => client.callTool(touch),
      () => updated.mock.calls.length > 0,
    )
    expect(updated).toHaveBeenCalled()

    await client.unsubscribeResource({ uri })
    updated.mockClear()
    await client.callTool(touch)
    expect(updated).not.toHaveBeenCalled()
    await client.close()
    await modernOnly.end()
  })

  it('of a modern server can be listened for by a modern client', async () => {
    const modernOnly = await serving({
      mcpServers: { modern },
      toolsearch: { mode: 'passthrough' },
    })
    const updated = vi.fn()
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    client.setNotificationHandler('notifications/resources/updated', updated)
    await client.connect(modernOnly.pipe())
    const uri = 'modern://watched'
    await until(
      () => client.listResources(undefined, { cacheMode: 'bypass' }),
      ({ resources }) => resources.length > 0,
    )
    const stream = await client.listen({ resourceSubscriptions: [uri, 'nobody://knows'] })
    expect(stream.honoredFilter).toEqual({ resourceSubscriptions: [uri] })
    const touch = { name: 'modern__touch', arguments: { uri } }
    await client.callTool(touch)
    await expect.poll(() => updated.mock.calls.length).toBeGreaterThan(0)
    expect(updated.mock.calls[0]![0].params).toMatchObject({ uri })
    await client.close()
    await modernOnly.end()
  })

  it('reach an SDK 1 client', async () => {
    const client = new OldClient(info)
    await client.connect(new OldHttp(url) as never)
    await use(client as unknown as AnyClient)
    await client.close()
  })

  it('reach a modern client', async () => {
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new StreamableHTTPClientTransport(url))
    await use(client)
    await client.close()
  })

  it('are not announced if no server supports them', async () => {
    const tools = await serving({ mcpServers: { recorded } })
    await tools.run('tools')
    const client = new Client(info)
    await client.connect(tools.pipe())
    expect(Object.keys(client.getServerCapabilities()!).sort()).toEqual(['tools'])
    await client.close()
    await tools.end()
  })
})
