import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer without stickiness. */
export interface TestProxy {
  /** The address of the gateway behind it. */
  readonly url: URL
  /** The origins that requests go to. Change it while requests run. */
  targets: string[]
  /** Chooses the target of a request. @default at random */
  choose: (targets: readonly string[]) => string
  /** How many requests each origin has received. */
  readonly counts: Map<string, number>
  close(): Promise<void>
}

/** Passes each request on to one of several gateways. A gateway that is gone is a 502. */
export async function startProxy(targets: readonly string[]): Promise<TestProxy> {
  const server = createServer((incoming, outgoing) => {
    const target = proxy.choose(proxy.targets)
    proxy.counts.set(target, (proxy.counts.get(target) ?? 0) + 1)
    const { method, url = '/', headers } = incoming
    const { host } = new URL(target)
    const forwarded = httpRequest(
      new URL(url, target),
      { method, headers: { ...headers, host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
        answer.once('error', () => outgoing.destroy())
      },
    )
    forwarded.once('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.once('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: TestProxy = {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    targets: [...targets],
    choose: (all) => all[Math.floor(Math.random() * all.length)]!,
    counts: new Map(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** One target after the other, so that no two requests in a row go to the same. */
export function roundRobin(): TestProxy['choose'] {
  let next = 0
  return (targets) => targets[next++ % targets.length]!
}
