import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Faults, faultyServer, serverConfig } from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams } from './fixtures/watch.fixtures.ts'

const upstreams = createUpstreams()
afterAll(async () => {
  expect(await upstreams.closeAll()).toEqual([])
})

const SECRET = 'hunter2-is-my-password'

function withSecret(faults: Faults) {
  const config = faultyServer(faults)
  return { ...config, connection: { ...config.connection, env: { API_KEY: SECRET } } as never }
}

describe('secrets of a server', () => {
  it('are masked in the log output and the reason of a server that dies', async () => {
    const stderr = `Cannot sign in with ${SECRET}\n${encodeURIComponent(SECRET)}`
    const upstream = upstreams.open(withSecret({ crashAtStart: true, stderr }))
    await upstream.connect()
    expect(upstream.status.detail).toContain('Cannot sign in with ***')
    const failure = await callText(upstream, 'echo').catch((error: Error) => error.message)
    expect(JSON.stringify([upstream.status, failure])).not.toContain(SECRET)
  })

  it('are masked in log notifications, but not in results', async () => {
    const onNotification = vi.fn()
    const upstream = upstreams.open(withSecret({}), { onNotification })
    await callText(upstream, 'log', { message: { login: [`as ${SECRET}`] } })
    const logged = onNotification.mock.calls.map(([, params]) => params)
    expect(logged).toContainEqual({ level: 'info', data: { login: ['as ***'] } })
    expect(await callText(upstream, 'echo', { message: SECRET })).toBe(SECRET)
  })

  it('are masked in the errors of an HTTP server', async () => {
    const http = createServer((request, response) => {
      const { authorization, 'x-api-key': key } = request.headers
      const message = `denied ${authorization} ${key} ${request.url}`
      request.resume().once('end', () => {
        response.writeHead(500, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: -1, message, data: [message] } }),
        )
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as AddressInfo
    const upstream = upstreams.open(
      serverConfig({
        kind: 'http',
        url: `http://127.0.0.1:${port}/mcp?access_token=query-secret`,
        headers: { 'X-Api-Key': 'header-secret' },
      }),
      {
        authFor: () => ({ token: async () => 'stored-access-token', authorized: () => fetch }),
        secrets: ['the-gateways-token'],
      },
    )
    await upstream.connect()
    const failure = await callText(upstream, 'echo').catch((error: unknown) => error)
    http.close()
    const shown = JSON.stringify([upstream.status, failure, String(failure)])
    expect(shown).toContain('denied')
    expect(shown).not.toMatch(/query-secret|header-secret|stored-access-token/)
  })
})
