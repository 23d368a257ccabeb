import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
let blackhole: Server
const sockets = new Set<Socket>()

beforeAll(async () => {
  // Accepts connections and never answers.
  blackhole = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  })
  const closed = createServer()
  for (const server of [blackhole, closed]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  const url = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const [silent, refused] = [url(blackhole), url(closed)]
  await new Promise((resolve) => closed.close(resolve))
  gateway = await serving({
    mcpServers: {
      silent: { url: silent },
      'silent-sse': { type: 'sse', url: silent },
      refused: { url: refused },
      'refused-sse': { type: 'sse', url: refused },
    },
    toolsearch: { limits: { connectMs: 1_500 } },
  })
})
afterAll(async () => {
  await gateway.end()
  for (const socket of sockets) socket.destroy()
  blackhole.close()
})

describe('with servers that cannot be reached', () => {
  it.each([
    [0, ['tools']],
    [1, ['search', 'anything']],
    [0, ['tools', '--refresh']],
    [1, ['doctor']],
  ])('exits with code %i from %j', async (expected, line) => {
    expect(await gateway.run(...line)).toMatchObject({ code: expected })
  })

  it('exits although something keeps Node.js running, such as a socket that never connects', async () => {
    gateway.env.NODE_OPTIONS = '--import=data:text/javascript,setInterval(()=>{},60_000)'
    const child = gateway.spawn('search', 'anything')
    expect(await once(child, 'exit')).toEqual([1, null])
  })
})
