import { createMCPClient } from '@ai-sdk/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorded, type Serving, serving, textOf, until } from './serving.fixtures.ts'

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

/** Does what a typical client does: lists tools, searches, calls a tool, and makes an invalid call. */
async function use(client: AnyClient): Promise<void> {
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'tool_search',
      'describe_tools',
      'call_read_tool',
      'call_write_tool',
      'call_destructive_tool',
      'read_result',
    ])
    const search = { name: 'tool_search', arguments: { query: 'sum of two numbers' } }
    const found = await until(
      async () => textOf(await client.callTool(search)),
      (text) => text.includes('get-sum'),
    )
    expect(found).toContain('everything__get-sum')
    const call = { name: 'everything__get-sum', arguments: { a: 2, b: 3 } }
    const effect = /"everything__get-sum".*?"effect":"(\w+)"/.exec(found)![1]
    const sum = await client.callTool({ name: `call_${effect}_tool`, arguments: call })
    expect(textOf(sum)).toBe('The sum of 2 and 3 is 5.')
    const wrong = await client.callTool({
      name: `call_${effect}_tool`,
      arguments: { ...call, arguments: { a: 'two' } },
    })
    expect(wrong).toMatchObject({ isError: true })
    expect(textOf(wrong)).toContain('inputSchema')
  } finally {
    await client.close()
  }
}

const mcpServers = { everything: recorded, broken: { command: 'no-such-program' } }
const info = { name: 'test', version: '1' }

describe('over stdio', () => {
  let served: Serving
  beforeAll(async () => {
    served = await serving({ mcpServers })
  })
  afterAll(() => served.end())

  it('serves an SDK 2 client with the legacy protocol', async () => {
    const client = new Client(info)
    await client.connect(new StdioClientTransport(served.command()))
    expect(client.getInstructions()).toContain('tool_search')
    await use(client as unknown as AnyClient)
  })

  it('serves an SDK 2 client with the modern protocol', async () => {
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(served.pipe())
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    await use(client as unknown as AnyClient)
  })

  it('serves an SDK 1 client', async () => {
    const client = new OldClient(info)
    await client.connect(served.pipe() as never)
    await use(client as unknown as AnyClient)
  })
})

describe('over HTTP', () => {
  let served: Serving
  let url = ''
  beforeAll(async () => {
    served = await serving({ mcpServers })
    url = (await served.http()).url
  })
  afterAll(() => served.end())

  it.each(['2025-11-25', '2026-07-28'])(
    'serves an SDK 2 client with protocol %s',
    async (version) => {
      const mode = version === '2026-07-28' ? { pin: version } : 'legacy'
      const client = new Client(info, { versionNegotiation: { mode: mode as 'legacy' } })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      await use(client as unknown as AnyClient)
    },
  )

  it('serves an SDK 1 client', async () => {
    const client = new OldClient(info)
    await client.connect(new OldHttp(new URL(url)) as never)
    await use(client as unknown as AnyClient)
  })

  it('serves the AI SDK', async () => {
    const client = await createMCPClient({ transport: { type: 'http', url } })
    const tools = await client.tools()
    expect(Object.keys(tools)).toContain('tool_search')
    await client.close()
  })

  it('rejects requests from other sites and unknown paths', async () => {
    const foreign = await fetch(url, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(foreign.status).toBe(403)
    expect((await fetch(url.replace('/mcp', '/other'))).status).toBe(404)
  })
})
