import { mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isDeep } from '../../../../../testing/deep.ts'
import { createToolSearch } from '../../toolsearch.ts'
import { connectMcp } from './connect-mcp.ts'
import type { McpClient } from './mcp-client.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const require = createRequire(import.meta.url)

interface Program {
  command: string
  args: string[]
  env: Record<string, string>
  stderr: 'ignore'
}
type OpenClient = McpClient & { close(): Promise<void> }

const SDKS: Record<string, (program: Program) => Promise<OpenClient>> = {
  async 'SDK 1'(program) {
    const client = new ClientV1({ name: 'test', version: '1.0.0' })
    await client.connect(new StdioTransportV1(program))
    return client
  },
  async 'SDK 2'(program) {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StdioClientTransport(program))
    return client
  },
}

// connect-mcp.test.ts runs with both versions of the SDK.
const sdks = Object.entries(SDKS)
describe.each(isDeep ? sdks : sdks.slice(1))('published MCP servers with %s', (_name, connect) => {
  const toolSearch = createToolSearch({ activation: 'always' })
  const clients: OpenClient[] = []
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolsearch-mcp-'))
    await writeFile(join(folder, 'notes.txt'), 'Buy milk.')
    const servers = { everything: ['stdio'], filesystem: [folder], memory: [] }
    for (const [name, args] of Object.entries(servers)) {
      const file = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)
      const client = await connect({
        command: process.execPath,
        args: [file, ...args],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
        stderr: 'ignore',
      })
      clients.push(client)
      await connectMcp(toolSearch, client, { name })
    }
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
  })

  it('lists the tools of every server', () => {
    const sources = new Set(toolSearch.catalogue.tools().map((tool) => tool.source))
    expect([...sources]).toEqual(['mcp:everything', 'mcp:filesystem', 'mcp:memory'])
    expect(toolSearch.sources.notReady()).toEqual([])
  })

  it.each([
    ['read a file', 'read_text_file', () => ({ path: join(folder, 'notes.txt') }), 'Buy milk.'],
    ['read the whole knowledge graph', 'read_graph', () => ({}), '"entities"'],
    ['add two numbers', 'get-sum', () => ({ a: 1, b: 2 }), '3'],
  ])('finds a tool for "%s" and calls it', async (query, name, input, text) => {
    const session = await toolSearch.session(`${name}`)
    const { outcome } = await session.search({ query })
    expect(outcome.hits.map((hit) => hit.tool.name)).toContain(name)
    const done = await session.run({ name, arguments: input() })
    expect(done).toMatchObject({ kind: 'executed' })
    expect(JSON.stringify(done.kind === 'executed' && done.output)).toContain(
      JSON.stringify(text).slice(1, -1),
    )
  })

  it('returns an image as an image', async () => {
    const session = await toolSearch.session('image')
    await session.search({ query: 'select:get-tiny-image' })
    const done = await session.run({ name: 'get-tiny-image', arguments: {} })
    expect(done).toMatchObject({
      output: {
        content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'text' }],
      },
    })
  })

  it('returns structured content', async () => {
    const session = await toolSearch.session('structured')
    await session.search({ query: 'select:get-structured-content' })
    const input = { location: 'New York' }
    const done = await session.run({ name: 'get-structured-content', arguments: input })
    expect(done).toMatchObject({ output: { structuredContent: { temperature: 33 } } })
  })
})
