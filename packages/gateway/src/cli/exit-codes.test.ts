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

/** Runs a command, and measures how long it takes to exit after its last output. */
function runTimed(
  ...line: string[]
): Promise<{ code: number | null; err: string; idleMs: number }> {
  return new Promise((resolve) => {
    const child = gateway.spawn(...line)
    let last = Date.now()
    let err = ''
    child.stdout.on('data', () => {
      last = Date.now()
    })
    child.stderr.on('data', (piece) => {
      last = Date.now()
      err += piece
    })
    child.once('close', (code) => resolve({ code, err, idleMs: Date.now() - last }))
  })
}

describe.concurrent('with servers that cannot be reached', () => {
  it.each([
    [0, ['tools']],
    [1, ['search', 'anything']],
    [0, ['tools', '--refresh']],
    [1, ['doctor']],
  ])('exits with code %i, promptly, from %j', async (expected, line) => {
    const { code, err, idleMs } = await runTimed(...line)
    expect({ code, err }).toMatchObject({ code: expected })
    // Sockets that never connect stay open for 10 seconds.
    expect(idleMs).toBeLessThan(5_000)
  })
})
