import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'
import { modernServer } from './upstreams/fixtures/servers.fixtures.ts'

const WATCHED = 'modern://watched'
const UPDATED = 'notifications/resources/updated'
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

/** A gateway in front of a server that reports changes to those who have subscribed to them. */
async function start(settings: object = {}): Promise<OpenGateway> {
  const { kind: _, ...modern } = modernServer().connection
  const config = { mcpServers: { modern }, toolsearch: { mode: 'passthrough', ...settings } }
  const gateway = await openGateway(config as ConfigFile, {
    cacheFolder: false,
    stateFolder: false,
    onWarning: () => {},
  })
  open.push(gateway)
  await gateway.ready()
  return gateway
}

async function connect(url: string) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const updated: string[] = []
  client.setNotificationHandler(UPDATED, ({ params }) => void updated.push(params.uri))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  open.push(client)
  const touch = (uri: string) =>
    client.callTool({ name: 'modern__touch', arguments: { uri } }).then(() => undefined)
  return { client, updated, touch }
}

describe('a modern client that listens for a resource', () => {
  it('is notified although nobody else has subscribed to it', async () => {
    const { url } = await (await start()).serveHttp()
    const { client, updated, touch } = await connect(url)
    const uris = [WATCHED, 'modern://unknown']
    const stream = await client.listen({ resourceSubscriptions: uris })
    expect(stream.honoredFilter).toEqual({ resourceSubscriptions: [WATCHED] })
    await touch(WATCHED)
    await expect.poll(() => updated).toEqual([WATCHED])

    // The subscription ends with the last stream that needs it.
    const second = await connect(url)
    await second.client.listen({ resourceSubscriptions: [WATCHED] })
    await stream.close()
    await touch(WATCHED)
    await expect.poll(() => second.updated).toEqual([WATCHED])
    expect(updated).toEqual([WATCHED])
  })

  it('may listen only for what it may read', async () => {
    const { url } = await (await start({ profiles: { other: { allow: ['x/*'] } } })).serveHttp()
    const { client } = await connect(`${url}/p/other`)
    const stream = await client.listen({ resourceSubscriptions: [WATCHED] })
    expect(stream.honoredFilter).toEqual({})
  })
})
