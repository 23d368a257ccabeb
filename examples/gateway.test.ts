import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'

it('serves four servers, finds and calls a tool, and exits cleanly on SIGTERM', async () => {
  const script = fileURLToPath(new URL('./gateway.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx'), script],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'exit')
  try {
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk
        const [, address] = /at (http:\S+\/mcp)/.exec(output) ?? []
        if (address) resolve(address)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', () => reject(new Error(output)))
    })
    expect(output).toMatch(/company +\S+ +[\d,]+ {2}85 tools/)
    expect(output).toMatch(/Tokens saved +[\d,]+ per request/)

    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const search = async (query: string) =>
      JSON.stringify(await client.callTool({ name: 'tool_search', arguments: { query } }))
    expect(await search('read a knowledge graph')).toContain('memory__read_graph')
    expect(await search('give the customer their money back')).toContain('refund_payment')
    const call = { name: 'memory__read_graph', arguments: {} }
    const result = await client.callTool({ name: 'call_read_tool', arguments: call })
    expect(result.structuredContent).toEqual({ entities: [], relations: [] })
    await client.close()
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})
