import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Overview } from '../inspection/api.ts'
import { recorded, type Serving, serving, until } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({ mcpServers: { first: recorded, second: recorded } })
})
afterAll(() => gateway.end())

/** Serves over HTTP, runs a function once all servers are ready, and resolves to what was printed. */
async function said(use: (url: string, said: string) => Promise<void>): Promise<string> {
  const command = gateway.start('serve', '--http', '--port', '0')
  await expect.poll(() => command.err, { timeout: 30_000 }).toContain('}\n')
  const [url = ''] = /http:\S+\/mcp/.exec(command.err) ?? []
  const overview = async () =>
    (await (await fetch(new URL('/api/overview', url))).json()) as Overview
  const { snippet } = await until(overview, ({ servers }) =>
    servers.every(({ state }) => state !== 'connecting'),
  )
  expect(JSON.parse(snippet)).toEqual({ mcpServers: { toolsearch: { type: 'http', url } } })
  await use(url, command.err)
  command.kill('SIGTERM')
  return (await command.ended).err
}

describe('serve --http', () => {
  it('prints an entry with the type that Claude Code and VS Code need, and no savings without a client', async () => {
    const all = await said(async (url, text) => {
      const entry = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
      expect(entry).toEqual({ mcpServers: { toolsearch: { type: 'http', url } } })
    })
    expect(all).not.toContain('Saved')
  }, 60_000)

  it('prints at the end what clients saved', async () => {
    const all = await said(async (url) => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      await client.listTools()
      await client.close()
    })
    expect(all).toMatch(/Saved [\d,]+ tokens per request\./)
  }, 60_000)
})
