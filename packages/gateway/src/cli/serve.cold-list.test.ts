import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const entry = (faults: Parameters<typeof faultyServer>[0]) => ({
  ...faultyServer(faults).connection,
  kind: undefined,
})

let gateway: Serving | undefined
afterEach(async () => {
  await gateway?.end()
})

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** Connects over stdio in the era that the client negotiates, or over modern HTTP. */
async function connect(served: Serving, kind: 'legacy stdio' | 'modern HTTP'): Promise<Client> {
  const info = { name: 'test', version: '1' }
  if (kind === 'legacy stdio') {
    const client = new Client(info)
    await client.connect(new StdioClientTransport(served.command()))
    return client
  }
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL((await served.http()).url)))
  return client
}

describe.each(['passthrough', 'auto'])(
  'the first list of a cold gateway in mode %s (finding D6)',
  (mode) => {
    it.each(['legacy stdio', 'modern HTTP'] as const)('waits for the tools (%s)', async (kind) => {
      gateway = await serving({
        mcpServers: { faulty: entry({ slowStartMs: 500 }) },
        toolsearch: { mode },
      })
      const client = await connect(gateway, kind)
      const listed = await names(client)
      expect(listed).toContain('faulty__echo')
      expect(listed).not.toContain('tool_search')
      await client.close()
    })
  },
)

it.each(['legacy stdio', 'modern HTTP'] as const)(
  'a cold gateway in mode passthrough has the search tools until a slow server is there (%s)',
  async (kind) => {
    gateway = await serving({
      mcpServers: { faulty: entry({}), slow: entry({ slowStartMs: 6_000 }) },
      toolsearch: { mode: 'passthrough' },
    })
    const client = await connect(gateway, kind)
    let hasChanged = false
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      hasChanged = true
    })
    const first = await names(client)
    expect(first).toContain('tool_search')
    expect(first).not.toContain('slow__echo')
    const complete = await until(
      () => names(client),
      (all) => all.includes('slow__echo') && !all.includes('tool_search'),
    )
    expect(complete).toContain('faulty__echo')
    // in the modern protocol, notifications need a subscription
    if (kind === 'legacy stdio') expect(hasChanged).toBe(true)
    await client.close()
  },
)
