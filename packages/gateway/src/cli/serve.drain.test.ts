import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, expect, it } from 'vitest'
import { type Serving, serving, textOf } from './serving.fixtures.ts'

/** A server whose only tool ends when a file exists. */
const SLOW = `
  const { existsSync } = require('node:fs')
  const tools = [{ name: 'wait', inputSchema: { type: 'object' } }]
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const send = (answer) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    const serverInfo = { name: 'x', version: '1' }
    if (method === 'initialize') {
      send({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
    } else if (method === 'tools/list') send({ result: { tools } })
    else if (method === 'tools/call') {
      require('node:fs').writeFileSync(process.env.STARTED, '')
      const timer = setInterval(() => {
        if (!existsSync(process.env.GO)) return
        clearInterval(timer)
        send({ result: { content: [{ type: 'text', text: 'done' }] } })
      }, 20)
    } else send({ error: { code: -32601, message: 'Unknown method' } })
  })`

let gateway: Serving
afterEach(() => gateway.end())

async function start(...args: string[]) {
  gateway = await serving({ mcpServers: {}, toolsearch: {} })
  const [go, started] = [join(gateway.folder, 'go'), join(gateway.folder, 'started')]
  await gateway.write({
    mcpServers: {
      slow: {
        command: process.execPath,
        args: ['-e', SLOW],
        env: { GO: go, STARTED: started },
      },
    },
    toolsearch: { mode: 'passthrough', audit: {}, limits: { callMs: 60_000, connectMs: 60_000 } },
  })
  const { url, command } = await gateway.http(...args)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never)
  const call = client.callTool({ name: 'slow__wait', arguments: {} }).catch((error) => error)
  await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true)
  return { url, command, call, go }
}

it('finishes calls after SIGTERM, and accepts no new sessions meanwhile', async () => {
  const { url, command, call, go } = await start()
  const readyz = async () => {
    const response = await fetch(new URL('/readyz', url))
    return [response.status, ((await response.json()) as { status: string }).status]
  }
  expect(await readyz()).toEqual([200, 'ready'])
  command.kill('SIGTERM')
  await expect.poll(readyz).toEqual([503, 'draining'])
  expect((await fetch(new URL('/healthz', url))).status).toBe(200)
  const initialize = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'late', version: '1' },
      },
    }),
  })
  expect(initialize.status).toBe(503)
  expect(initialize.headers.get('retry-after')).toBe('1')
  expect(await initialize.text()).toContain('about to stop')
  writeFileSync(go, '')
  expect(textOf(await call)).toBe('done')
  expect(await command.ended).toMatchObject({ code: 0 })
  const { out } = await gateway.run('audit', '--json', '--action', 'tools/call')
  expect(JSON.parse(out)).toMatchObject({ outcome: 'ok', target: { server: 'slow', name: 'wait' } })
})

it('stops at once on a second signal', async () => {
  const { url, command, call } = await start()
  command.kill('SIGTERM')
  const status = async () => (await fetch(new URL('/readyz', url))).status
  await expect.poll(status).toBe(503)
  command.kill('SIGTERM')
  expect(await command.ended).toMatchObject({ code: 0 })
  expect(await call).toBeInstanceOf(Error)
})

it('stops waiting after --drain seconds', async () => {
  const { command } = await start('--drain', '0')
  command.kill('SIGTERM')
  expect(await command.ended).toMatchObject({ code: 0 })
})
