import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { runHere } from '../packages/gateway/src/cli/run-here.fixtures.ts'

const queries = fileURLToPath(new URL('../.toolsearch/toolsearch.queries.jsonl', import.meta.url))

it('serves four servers, is found by other commands, keeps saved queries, and exits cleanly on SIGTERM', async () => {
  const before = existsSync(queries) ? await readFile(queries, 'utf8') : undefined
  const script = fileURLToPath(new URL('./gateway.ts', import.meta.url))
  const home = await mkdtemp(join(tmpdir(), 'toolsearch-example-'))
  const env = { PATH: process.env.PATH, HOME: home }
  const child = spawn(
    process.execPath,
    ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx'), script],
    { stdio: ['ignore', 'pipe', 'pipe'], env },
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
    await writeFile(
      queries,
      `${before ?? ''}{"query":"a query of a test","relevant":["memory__open_nodes"]}\n`,
    )
    expect(await runHere(['live', '--json'], { env, cwd: home })).toMatchObject({ code: 0 })

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
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await readFile(queries, 'utf8')).toContain('a query of a test')
  } finally {
    child.kill('SIGTERM')
    await ended
    if (before === undefined) await rm(queries, { force: true })
    else await writeFile(queries, before)
  }
})
