import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverConfig } from '../offering/upstream-set.fixtures.ts'
import { createUpstream } from './create-upstream.ts'

let blackhole: Server
const sockets = new Set<Socket>()
beforeAll(async () => {
  blackhole = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => blackhole.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  blackhole.close()
})

it.each(['sse', 'http'] as const)(
  'closes while it connects to a server that never answers, over %s',
  async (kind) => {
    const { port } = blackhole.address() as AddressInfo
    const connection = { kind, url: `http://127.0.0.1:${port}/mcp`, headers: {} }
    const upstream = createUpstream(serverConfig('silent', { connection }))
    const connecting = upstream.connect()
    const before = sockets.size
    await expect.poll(() => sockets.size).toBeGreaterThan(before)
    await upstream.close()
    await connecting
    expect(upstream.status.state).toBe('idle')
  },
)
