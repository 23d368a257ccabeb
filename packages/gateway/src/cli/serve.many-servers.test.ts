import { tmpdir } from 'node:os'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { referenceServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const kinds = ['everything', 'filesystem', 'memory'] as const
const COUNT = 32

let gateway: Serving
beforeAll(async () => {
  const entries = Array.from({ length: COUNT }, (_, index) => {
    const kind = kinds[index % kinds.length]!
    const args = [referenceServer(kind), ...(kind === 'filesystem' ? [tmpdir()] : [])]
    return [`${kind}-${index}`, { command: process.execPath, args }]
  })
  // the default limits: 32 servers must not need more patience than one
  gateway = await serving({
    mcpServers: Object.fromEntries(entries),
    toolsearch: { limits: {}, ranking: 'words' },
  })
})
afterAll(() => gateway.end())

it('answers initialize before its servers are ready, and none fails because of the others (finding D9)', async () => {
  const transport = new StdioClientTransport({
    ...gateway.command('--inspect', '0'),
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr!.on('data', (piece) => {
    said += piece
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  await expect.poll(() => said, { timeout: 30_000 }).toContain('Inspector: ')
  const url = new URL('api/overview', /Inspector: (\S+)/.exec(said)![1]!)
  const states = async () => {
    const { servers } = (await (await fetch(url)).json()) as { servers: { state: string }[] }
    return servers.map(({ state }) => state)
  }
  expect(await states()).toContain('connecting')

  const called = await client.callTool({
    name: 'call_read_tool',
    arguments: { name: `everything-${COUNT - 2}__echo`, arguments: { message: 'first' } },
  })
  expect(JSON.stringify(called)).toContain('first')
  // the call moved its server to the front
  expect(await states()).toContain('connecting')

  await until(states, (all) => all.every((state) => state === 'ready'))
  expect(said).not.toContain('failed')
  await client.close()
}, 240_000)
