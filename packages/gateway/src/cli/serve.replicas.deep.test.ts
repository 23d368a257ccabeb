import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { type SharedUpstream, startUpstream } from '../serving/http/shared-upstream.fixtures.ts'
import { startProxy, type TestProxy } from '../serving/http/start-proxy.fixtures.ts'
import { type Serving, serving, textOf } from './serving.fixtures.ts'

const CLIENTS = 8
const CALLS = 30

let redis: TestRedis
let upstream: SharedUpstream
let served: Serving
let proxy: TestProxy
let replicas: Awaited<ReturnType<Serving['spawnHttp']>>[]
beforeAll(async () => {
  redis = await startRedis()
  upstream = await startUpstream()
  served = await serving({
    mcpServers: { shared: { url: upstream.url } },
    toolsearch: { mode: 'passthrough', state: { redis: redis.url } },
  })
  replicas = await Promise.all([0, 1, 2].map(() => served.spawnHttp()))
  proxy = await startProxy(replicas.map(({ url }) => new URL(url).origin))
})
afterAll(async () => {
  await proxy?.close()
  await served?.end()
  await upstream?.close()
  await redis?.close()
})

describe('three processes of toolsearch serve', () => {
  it('lose no session and repeat no call when one of them is killed', async () => {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const client = new Client({ name: 'test', version: '1' })
        const transport = new StreamableHTTPClientTransport(proxy.url)
        await client.connect(transport as never)
        return { client, session: transport.sessionId }
      }),
    )
    const [victim] = replicas
    let answered = 0
    const failed: string[] = []
    const killed = once(victim!.child, 'exit')
    const load = clients.map(async ({ client }) => {
      for (let call = 0; call < CALLS; call++) {
        const id = randomUUID()
        const params = { name: 'shared__count', arguments: { id } }
        // The client does not notice that the stream with the answer breaks, and waits for its timeout.
        const result = await client
          .callTool(params, undefined, { timeout: 15_000 })
          .catch(() => undefined)
        if (result) {
          expect(JSON.parse(textOf(result))).toEqual({ id })
          answered += 1
        } else {
          failed.push(id)
          // What a load balancer does with an instance that does not answer.
          proxy.targets = proxy.targets.filter((each) => each !== new URL(victim!.url).origin)
        }
        if (answered === Math.floor((CLIENTS * CALLS) / 3)) victim!.child.kill('SIGKILL')
      }
    })
    await Promise.all([...load, killed])
    expect(answered + failed.length).toBe(CLIENTS * CALLS)
    // Only calls that were on their way through the replica.
    expect(failed.length).toBeLessThanOrEqual(CLIENTS)
    const ids = upstream.calls.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(answered)
    for (const { client, session } of clients) {
      expect((client.transport as StreamableHTTPClientTransport).sessionId).toBe(session)
      await client.close()
    }
  })
})
