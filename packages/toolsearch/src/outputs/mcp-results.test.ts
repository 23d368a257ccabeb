import { createRequire } from 'node:module'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOutput } from './read-output.ts'

const require = createRequire(import.meta.url)
const server = {
  command: process.execPath,
  args: [require.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  stderr: 'ignore' as const,
}
const info = { name: 'test', version: '1' }

interface McpClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const versions: [string, () => Promise<McpClient>][] = [
  [
    'version 1 of the SDK',
    async () => {
      const client = new ClientV1(info)
      await client.connect(new TransportV1(server))
      return client
    },
  ],
  [
    'version 2 of the SDK',
    async () => {
      const client = new Client(info)
      await client.connect(new StdioClientTransport(server))
      return client
    },
  ],
]

describe.each(versions)('results of an MCP server through %s', (_, connect) => {
  let client: McpClient
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  const call = async (name: string, input: Record<string, unknown> = {}) =>
    readOutput(await client.callTool({ name, arguments: input }))

  it('are text', async () => {
    expect(await call('echo', { message: 'Hi' })).toEqual({
      parts: [{ type: 'text', text: 'Echo: Hi' }],
      isError: false,
    })
  })

  it('are images', async () => {
    const { parts } = await call('get-tiny-image')
    expect(parts).toContainEqual({
      type: 'image',
      data: expect.stringMatching(/^iVBORw0KGgo/),
      mimeType: 'image/png',
    })
  })

  it('are resources and links', async () => {
    const { parts } = await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 })
    expect(parts).toContainEqual(expect.objectContaining({ type: 'resource' }))
    const links = await call('get-resource-links', { count: 2 })
    expect(links.parts.filter((part) => part.type === 'link')).toHaveLength(2)
  })

  it('are structured content with its text only once', async () => {
    const { parts } = await call('get-structured-content', { location: 'New York' })
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('temperature') })
  })

  it('are errors', async () => {
    expect(await call('get-sum', { a: 'one' })).toMatchObject({ isError: true })
  })
})
