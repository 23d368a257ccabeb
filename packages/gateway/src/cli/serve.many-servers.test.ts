import { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const COUNT = 16

let gateway: Serving
beforeAll(async () => {
  const { kind: _, ...server } = faultyServer({ slowStartMs: 400 }).connection
  const entries = Array.from({ length: COUNT }, (_, index) => [`server-${index}`, server])
  // the default limits: 16 servers must not need more patience than one
  gateway = await serving({
    mcpServers: Object.fromEntries(entries),
    toolsearch: { limits: {}, ranking: 'words' },
  })
})
afterAll(() => gateway.end())

it('answers initialize before its servers are ready, and none fails because of the others', async () => {
  const transport = gateway.pipe('--inspect', '0')
  const { command } = transport
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  await expect.poll(() => command.err).toContain('Inspector: ')
  const url = new URL('api/overview', /Inspector: (\S+)/.exec(command.err)![1]!)
  const states = async () => {
    const { servers } = (await (await fetch(url)).json()) as { servers: { state: string }[] }
    return servers.map(({ state }) => state)
  }
  expect(await states()).toContain('connecting')

  const called = await client.callTool({
    name: 'call_destructive_tool',
    arguments: { name: `server-${COUNT - 2}__echo`, arguments: { message: 'first' } },
  })
  expect(JSON.stringify(called)).toContain('first')
  // the call moved its server to the front
  expect(await states()).toContain('connecting')

  await until(states, (all) => all.every((state) => state === 'ready'))
  expect(command.err).not.toContain('failed')
  await client.close()
})
