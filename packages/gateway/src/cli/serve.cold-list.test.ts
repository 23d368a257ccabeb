import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const entry = (faults: Parameters<typeof faultyServer>[0]) => ({
  ...faultyServer(faults).connection,
  kind: undefined,
})

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** Connects over stdio in the era that the client negotiates, or over modern HTTP. */
async function connect(served: Serving, kind: 'legacy stdio' | 'modern HTTP'): Promise<Client> {
  const info = { name: 'test', version: '1' }
  if (kind === 'legacy stdio') {
    const client = new Client(info)
    await client.connect(served.pipe())
    return client
  }
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL((await served.http()).url)))
  return client
}

const kinds = ['legacy stdio', 'modern HTTP'] as const

describe('the first list of a cold gateway', () => {
  it.each(['passthrough', 'auto'].flatMap((mode) => kinds.map((kind) => [mode, kind] as const)))(
    'waits for the tools in mode %s (%s)',
    async (mode, kind) => {
      const gateway = await serving({
        mcpServers: { faulty: entry({ slowStartMs: 500 }) },
        toolsearch: { mode },
      })
      const client = await connect(gateway, kind)
      const listed = await names(client)
      expect(listed).toContain('faulty__echo')
      expect(listed).not.toContain('tool_search')
      await client.close()
      await gateway.end()
    },
  )

  // Concurrently, because the list waits five seconds for the slow server.
  it.concurrent.each(kinds)(
    'has the search tools until a slow server is ready (%s)',
    async (kind) => {
      const gateway = await serving({ mcpServers: {} })
      const startFile = join(gateway.folder, 'start')
      await gateway.write({
        mcpServers: { faulty: entry({}), slow: entry({ startFile }) },
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
      writeFileSync(startFile, '')
      const complete = await until(
        () => names(client),
        (all) => all.includes('slow__echo') && !all.includes('tool_search'),
      )
      expect(complete).toContain('faulty__echo')
      // In the modern protocol, notifications need a subscription.
      expect(hasChanged).toBe(kind === 'legacy stdio')
      await client.close()
      await gateway.end()
    },
  )
})
