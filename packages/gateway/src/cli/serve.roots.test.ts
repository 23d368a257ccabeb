import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, textOf, until } from './serving.fixtures.ts'

const info = { name: 'test', version: '1' }
const capabilities = { roots: {} }
const roots = [{ uri: 'file:///home/ada/work', name: 'work' }]
const MODERN = { mode: { pin: '2026-07-28' } } as const

let served: Serving
let url: URL
beforeAll(async () => {
  const legacy = { ...faultyServer().connection, kind: undefined }
  served = await serving({ mcpServers: { legacy }, toolsearch: { mode: 'passthrough' } })
  url = new URL((await served.http()).url)
})
afterAll(() => served.end())

type AnyClient = Pick<Client, 'callTool' | 'listTools' | 'close'>

/** The roots that the server receives when it requests them during a call. */
async function requestedRoots(client: AnyClient): Promise<unknown> {
  await until(
    () => client.listTools(undefined, { cacheMode: 'refresh' }),
    ({ tools }) => tools.some(({ name }) => name === 'legacy__ask'),
  )
  const ask = { name: 'legacy__ask', arguments: { method: 'roots/list' } }
  const answer = JSON.parse(textOf(await client.callTool(ask)))
  await client.close()
  return answer
}

describe('a roots request from a legacy server', () => {
  it('is answered by an SDK 2 client, over stdio', async () => {
    const client = new Client(info, { capabilities })
    client.setRequestHandler('roots/list', async () => ({ roots }))
    await client.connect(served.pipe())
    expect(await requestedRoots(client)).toMatchObject({ roots })
  })

  it('is answered by an SDK 1 client, over HTTP', async () => {
    const client = new OldClient(info, { capabilities })
    client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots }))
    await client.connect(new OldHttp(url) as never)
    expect(await requestedRoots(client as unknown as AnyClient)).toMatchObject({ roots })
  })

  it('is answered by a modern client, through an input request', async () => {
    const client = new Client(info, { capabilities, versionNegotiation: MODERN })
    client.setRequestHandler('roots/list', async () => ({ roots }))
    await client.connect(new StreamableHTTPClientTransport(url))
    expect(await requestedRoots(client)).toMatchObject({ roots })
  })

  it('is answered with an empty list if the client has no roots', async () => {
    const client = new Client(info)
    await client.connect(served.pipe())
    expect(await requestedRoots(client)).toEqual({ roots: [] })
  })
})
