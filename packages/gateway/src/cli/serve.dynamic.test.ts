import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recorded, type Serving, serving, textOf, until } from './serving.fixtures.ts'

const info = { name: 'test', version: '1' }
const SUM = { name: 'tool_search', arguments: { query: 'sum of two numbers', max_results: 1 } }
const ECHO = { name: 'tool_search', arguments: { query: 'select:everything__echo' } }

let served: Serving
let url: URL
beforeAll(async () => {
  served = await serving({ mcpServers: { everything: recorded }, toolsearch: { mode: 'dynamic' } })
  url = new URL((await served.http()).url)
})
afterAll(() => served.end())

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const found = (client: AnyClient, search: Parameters<AnyClient['callTool']>[0]) =>
  until(
    async () => textOf(await client.callTool(search)),
    (text) => text.includes('everything__'),
  )
const listed = async (client: AnyClient) =>
  (await client.listTools()).tools.map(({ name }) => name).slice(6)

/** Searches twice, expects the list to grow, and calls a found tool directly. */
async function grow(client: AnyClient, changed: ReturnType<typeof vi.fn>): Promise<void> {
  expect(await listed(client)).toEqual([])
  await found(client, SUM)
  await expect.poll(() => changed.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(await listed(client)).toEqual(['everything__get-sum'])
  await found(client, ECHO)
  expect(await listed(client)).toEqual(['everything__get-sum', 'everything__echo'])
  const sum = await client.callTool({ name: 'everything__get-sum', arguments: { a: 2, b: 3 } })
  expect(textOf(sum)).toBe('The sum of 2 and 3 is 5.')
}

describe('mode dynamic', () => {
  it('adds found tools to the list, over stdio', async () => {
    const changed = vi.fn()
    const client = new Client(info)
    client.setNotificationHandler('notifications/tools/list_changed', changed)
    await client.connect(served.pipe())
    await grow(client as unknown as AnyClient, changed)
    await client.close()
  })

  it('keeps a separate list for each session, over HTTP', async () => {
    const changed = vi.fn()
    const client = new OldClient(info)
    client.setNotificationHandler(ToolListChangedNotificationSchema, changed)
    await client.connect(new OldHttp(url) as never)
    const other = new Client(info)
    await other.connect(new StreamableHTTPClientTransport(url))
    await grow(client as unknown as AnyClient, changed)
    expect(await listed(other as unknown as AnyClient)).toEqual([])
    await client.close()
    await other.close()
  })

  it('keeps the list fixed for clients of the modern protocol', async () => {
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new StreamableHTTPClientTransport(url))
    await found(client as unknown as AnyClient, SUM)
    expect(await listed(client as unknown as AnyClient)).toEqual([])
    await client.close()
  })
})
