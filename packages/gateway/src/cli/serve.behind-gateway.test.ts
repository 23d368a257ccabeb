import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Serving, serving, textOf, until } from './serving.fixtures.ts'

const program = join(import.meta.dirname, '../upstreams/fixtures/odd-server.mjs')

let inner: Serving
let outer: Serving
const client = new Client({ name: 'test', version: '1' })
beforeAll(async () => {
  inner = await serving({ mcpServers: { odd: { command: process.execPath, args: [program] } } })
  outer = await serving({ mcpServers: { inner: { url: (await inner.http()).url } } })
  await client.connect(outer.pipe())
})
afterAll(async () => {
  await client.close()
  await Promise.all([outer.end(), inner.end()])
})

describe('a gateway in front of a gateway', () => {
  it('finds the tools of the inner gateway, with schemas, and calls them', async () => {
    const call = async (name: string, args: object) =>
      textOf(await client.callTool({ name, arguments: { ...args } }))
    const found = await until(
      () => call('tool_search', { query: 'find tools by what they do' }),
      (text) => text.includes('inner__tool_search'),
    )
    const { loaded } = JSON.parse(found)
    const search = loaded.find(({ name }: { name: string }) => name === 'inner__tool_search')
    expect(search.arguments).toContain('query?: string')
    const through = (name: string, args: object) =>
      call('call_read_tool', { name: `inner__${name}`, arguments: args })
    const innerFound = await until(
      () => through('tool_search', { query: 'do something odd' }),
      (text) => text.includes('odd__odd_0'),
    )
    expect(innerFound).toContain('arguments')
    expect(await through('call_read_tool', { name: 'odd__odd_0', arguments: { a: 1 } })).toBe('one')
  })
})
