import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, textOf, until } from './serving.fixtures.ts'

const info = { name: 'test', version: '1' }
const capabilities = { roots: {} }
const roots = [{ uri: 'file:///home/ada/work', name: 'work' }]
const NEWER = { mode: { pin: '2026-07-28' } } as const

let served: Serving
let url: URL
beforeAll(async () => {
  const older = { ...faultyServer().connection, kind: undefined }
  served = await serving({ mcpServers: { older }, toolsearch: { mode: 'passthrough' } })
  url = new URL((await served.http()).url)
})
afterAll(() => served.end())

type AnyClient = Pick<Client, 'callTool' | 'listTools' | 'close'>

/** What the server gets when it asks for roots in the middle of a call. */
async function askedForRoots(client: AnyClient): Promise<unknown> {
  await until(
    () => client.listTools(undefined, { cacheMode: 'refresh' }),
    ({ tools }) => tools.some(({ name }) => name === 'older__ask'),
  )
  const ask = { name: 'older__ask', arguments: { method: 'roots/list' } }
  const answer = JSON.parse(textOf(await client.callTool(ask)))
  await client.close()
  return answer
}

describe('the roots that a server of the older protocol asks for', () => {
  it('are those of a client of SDK 2, over stdio', async () => {
    const client = new Client(info, { capabilities })
    client.setRequestHandler('roots/list', async () => ({ roots }))
    await client.connect(new StdioClientTransport(served.command()))
    expect(await askedForRoots(client)).toMatchObject({ roots })
  })

  it('are those of a client of SDK 1, over HTTP', async () => {
    const client = new OldClient(info, { capabilities })
    client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots }))
    await client.connect(new OldHttp(url) as never)
    expect(await askedForRoots(client as unknown as AnyClient)).toMatchObject({ roots })
  })

  it('are those of a client of the newer protocol, which is asked by a result', async () => {
    const client = new Client(info, { capabilities, versionNegotiation: NEWER })
    client.setRequestHandler('roots/list', async () => ({ roots }))
    await client.connect(new StreamableHTTPClientTransport(url))
    expect(await askedForRoots(client)).toMatchObject({ roots })
  })

  it('are none for a client that has none', async () => {
    const client = new Client(info)
    await client.connect(new StdioClientTransport(served.command()))
    expect(await askedForRoots(client)).toEqual({ roots: [] })
  })
})
