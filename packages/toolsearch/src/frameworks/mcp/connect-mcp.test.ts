import { Client } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { CONNECTIONS, type Connected } from './changing-server.fixtures.ts'
import { type ConnectMcpOptions, connectMcp } from './connect-mcp.ts'
import type { McpClient } from './mcp-client.ts'

let connected: Connected | undefined
afterEach(() => connected?.client.close())

describe.each(Object.entries(CONNECTIONS))('connectMcp with %s', (_name, connect) => {
  async function start(options: Partial<ConnectMcpOptions> = {}) {
    connected = await connect()
    const { server, client } = connected
    const errors: string[] = []
    const onError = (error: { code: string }) => void errors.push(error.code)
    const toolSearch = createToolSearch({ activation: 'always' })
    const connection = await connectMcp(toolSearch, client, { name: 'a', onError, ...options })
    const session = await toolSearch.session('chat')
    const run = async (name: string, input: object = {}, signal?: AbortSignal) => {
      await session.search({ query: `select:${name}` })
      return session.run({ id: 'call_1', name, arguments: input }, signal ? { signal } : {})
    }
    const names = () => toolSearch.catalogue.tools().map((tool) => tool.name)
    return { server, client, connection, toolSearch, errors, run, names }
  }

  it('adds the tools of all pages, and calls them', async () => {
    const { server, connection, toolSearch, run, names } = await start()
    server.tools = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
    await connection.refresh()
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
    expect(toolSearch.catalogue.get('d')).toMatchObject({ source: 'mcp:a', isMcp: true })
    expect(await run('d')).toMatchObject({
      kind: 'executed',
      output: { content: [{ type: 'text', text: 'd is done.' }] },
    })
  })

  it('returns results whole', async () => {
    const { server, run } = await start()
    const result = {
      content: [
        { type: 'text', text: 'Nothing to read.' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
        { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b' } },
      ],
      structuredContent: { lines: 0 },
      isError: true,
      _meta: { seconds: 1 },
    }
    server.call = () => result
    expect(await run('read')).toMatchObject({ kind: 'executed', output: result })
  })

  it('follows added, changed and removed tools', async () => {
    const { server, toolSearch, names } = await start()
    const read = toolSearch.catalogue.get('read')
    await server.change([
      { name: 'read' },
      { name: 'write', description: 'Writes' },
      { name: 'new' },
    ])
    await vi.waitFor(() => expect(names()).toEqual(['read', 'write', 'new']))
    expect(toolSearch.catalogue.get('write')!.description).toBe('Writes')
    expect(toolSearch.catalogue.get('read'), 'an unchanged tool').toBe(read)
    await server.change([{ name: 'new' }])
    await vi.waitFor(() => expect(names()).toEqual(['new']))
  })

  it('ends with the last list if the list changes while it is read', async () => {
    const { server, names } = await start()
    for (let at = 0; at < 10; at++) void server.change([{ name: `tool_${at}` }])
    await vi.waitFor(() => expect(names()).toEqual(['tool_9']))
    expect(server.listed).toBeLessThan(15)
  })

  it('keeps the tools and reports if the list cannot be read after a change', async () => {
    const { server, names, errors } = await start()
    server.listError = 'Disk full'
    await server.change([])
    await vi.waitFor(() => expect(errors).toEqual(['mcp_list_failed']))
    expect(names()).toEqual(['read', 'write'])
    server.listError = undefined
    await server.change([{ name: 'new' }])
    await vi.waitFor(() => expect(names()).toEqual(['new']))
  })

  it('keeps following changes if onError throws', async () => {
    const onError = vi.fn(() => {
      throw new Error('Broken handler')
    })
    const { server, names } = await start({ onError })
    server.listError = 'Disk full'
    await server.change([])
    await vi.waitFor(() => expect(onError).toHaveBeenCalled())
    server.listError = undefined
    await server.change([{ name: 'new' }, { name: '' }])
    await vi.waitFor(() => expect(names()).toEqual(['new']))
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(2))
  })

  it('leaves out a tool whose name is taken and reports it, unless there is a prefix', async () => {
    const { toolSearch, client, connection, names } = await start()
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const second = await connectMcp(toolSearch, client, { name: 'b', onError })
    expect(second.rejected.map(({ code }) => code)).toEqual(['duplicate_tool', 'duplicate_tool'])
    expect(errors).toEqual(second.rejected)
    second.close()
    await connectMcp(toolSearch, client, { name: 'b', prefix: 'b_' })
    expect(names()).toEqual(['read', 'write', 'b_read', 'b_write'])
    expect(connection.rejected).toEqual([])
  })

  it('rejects a name that another connection has, until that one is closed or lost', async () => {
    const { client, connection, toolSearch, names } = await start()
    const before = names()
    const other = await connect()
    const again = () => connectMcp(toolSearch, other.client, { name: 'a' })
    await expect(again()).rejects.toMatchObject({ code: 'invalid_option', option: 'name' })
    expect(names()).toEqual(before)
    connection.close()
    const second = await again()
    expect(names()).toEqual(before)
    connection.close()
    expect(names(), 'after the first is closed again').toEqual(before)
    await other.client.close()
    await connectMcp(toolSearch, client, { name: 'a' })
    second.close()
    expect(names(), 'after the lost one is closed').toEqual(before)
  })

  it('calls a tool with a prefix by its own name', async () => {
    const { run } = await start({ prefix: 'files_' })
    expect(await run('files_read')).toMatchObject({
      output: { content: [{ text: 'read is done.' }] },
    })
  })

  it('removes its tools when it is closed, and leaves the client and its handlers as they were', async () => {
    const { server, connection, client, names, toolSearch } = await start()
    expect(client.fallbackNotificationHandler).toBeDefined()
    connection.close()
    expect(names()).toEqual([])
    expect(toolSearch.sources.notReady()).toEqual([])
    expect(client.fallbackNotificationHandler).toBeUndefined()
    expect(client.onclose).toBeUndefined()
    const { listed } = server
    await server.change([{ name: 'new' }])
    expect((await client.listTools()).tools).toMatchObject([{ name: 'new' }])
    expect(server.listed).toBeLessThanOrEqual(listed + 1)
    expect(names()).toEqual([])
  })

  it('answers calls with an error after the connection was lost', async () => {
    const { server, toolSearch, run } = await start()
    await run('read')
    await server.disconnect()
    await vi.waitFor(() =>
      expect(toolSearch.sources.notReady()).toMatchObject([{ source: 'mcp:a', state: 'failed' }]),
    )
    expect(await run('read')).toMatchObject({
      isError: true,
      text: 'The connection to the MCP server "a" was lost, so the tool did not run.',
    })
  })

  it('goes on after the client reconnected and the list was read again', async () => {
    const { server, connection, toolSearch, run, names } = await start()
    await server.disconnect()
    await vi.waitFor(() => expect(toolSearch.sources.notReady()).toHaveLength(1))
    await connected!.reconnect()
    await connection.refresh()
    expect(toolSearch.sources.notReady()).toEqual([])
    expect(await run('read')).toMatchObject({ isError: false })
    await server.change([{ name: 'new' }])
    await vi.waitFor(() => expect(names()).toEqual(['new']))
  })

  it('passes a signal to the server', async () => {
    const { server, run } = await start()
    const signals: AbortSignal[] = []
    server.call = (_name, _input, { signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const controller = new AbortController()
    const running = run('read', {}, controller.signal)
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    controller.abort(new Error('Stop'))
    await expect(running).rejects.toThrow('Stop')
    await vi.waitFor(() => expect(signals[0]!.aborted).toBe(true))
  })

  it('stops waiting for a call after the timeout, which progress starts anew', async () => {
    const seen: unknown[] = []
    const { server, run } = await start({
      timeout: 800,
      onProgress: ({ progress }, { tool, callId }) => void seen.push([tool, callId, progress]),
    })
    server.call = async (name, _input, { notify }) => {
      for (let at = 1; name === 'read' && at <= 3; at++) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await notify(at)
      }
      return name === 'read' ? { content: [] } : new Promise(() => {})
    }
    expect(await run('read')).toMatchObject({ isError: false })
    expect(seen).toEqual([1, 2, 3].map((at) => ['read', 'call_1', at]))
    expect(await run('write')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/timed out/i),
    })
  })

  it('adds the tools to one conversation only', async () => {
    connected = await connect()
    const toolSearch = createToolSearch({ activation: 'always' })
    const session = await toolSearch.session('chat')
    const connection = await connectMcp(session, connected.client, { name: 'a' })
    expect(toolSearch.catalogue.size).toBe(0)
    expect((await session.search({ query: 'read' })).outcome.hits).toHaveLength(1)
    connection.close()
    expect((await session.search({ query: 'read' })).outcome.hits).toHaveLength(0)
  })

  it('rejects if the first list cannot be read, and reports the server as failed', async () => {
    connected = await connect()
    connected.server.listError = 'Disk full'
    const toolSearch = createToolSearch()
    const connecting = connectMcp(toolSearch, connected.client, { name: 'a' })
    expect(toolSearch.sources.notReady()).toMatchObject([{ state: 'connecting' }])
    await expect(connecting).rejects.toThrow('The MCP server "a" did not list its tools: ')
    expect(toolSearch.sources.notReady()).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('Disk full') },
    ])
    expect(connected.client.fallbackNotificationHandler).toBeUndefined()
  })

  it('still calls the handlers that the client already had', async () => {
    connected = await connect()
    const { client, server } = connected
    const seen: string[] = []
    client.fallbackNotificationHandler = async ({ method }: { method: string }) =>
      void seen.push(method)
    client.onclose = () => void seen.push('close')
    await connectMcp(createToolSearch(), client, { name: 'a' })
    await server.change([])
    await vi.waitFor(() => expect(seen).toContain('notifications/tools/list_changed'))
    await server.disconnect()
    await vi.waitFor(() => expect(seen).toContain('close'))
  })
})

describe('connectMcp', () => {
  it('accepts the clients of both SDKs', () => {
    const clients: McpClient[] = [
      new Client({ name: 'test', version: '1' }),
      new ClientV1({ name: 'test', version: '1' }),
    ]
    expect(clients).toHaveLength(2)
  })

  it('rejects a list that never ends', async () => {
    let pages = 0
    const client: McpClient = {
      listTools: async () => ({ tools: [], nextCursor: `${pages++}` }),
      callTool: async () => ({}),
      getServerCapabilities: () => ({}),
    }
    const connecting = connectMcp(createToolSearch(), client, { name: 'a' })
    await expect(connecting).rejects.toMatchObject({ code: 'mcp_list_failed' })
    await expect(connecting).rejects.toThrow('the list has more than 1000 pages')
    expect(pages).toBe(1000)
  })

  it.each([
    [{}, {}, { name: 'a' }, 'target'],
    [createToolSearch(), {}, { name: 'a' }, 'client'],
    [createToolSearch(), new Client({ name: 'a', version: '1' }), {}, 'name'],
    [createToolSearch(), new Client({ name: 'a', version: '1' }), { name: 'a', x: 1 }, 'x'],
  ])('rejects invalid arguments (%#)', async (target, client, options, path) => {
    const connecting = connectMcp(target as never, client as never, options as never)
    await expect(connecting).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(connecting).rejects.toThrow(path)
  })
})
